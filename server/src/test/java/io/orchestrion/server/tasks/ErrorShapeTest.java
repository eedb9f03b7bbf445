package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

class ErrorShapeTest {
    private static final List<String> CODES = Provoked.CODES;
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    /// T-239, T-240, T-241, T-242, T-243, T-244, T-245, T-246, T-247, T-248, T-254, T-255.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    missing_api_key        | 401 | true
                    invalid_api_key        | 401 | false
                    invalid_request        | 400 | false
                    task_not_found         | 404 | false
                    invalid_transition     | 409 | false
                    lease_expired          | 409 | false
                    task_currently_claimed | 409 | true
                    not_yet_claimable      | 409 | true
                    idempotency_conflict   | 409 | false
                    idempotency_in_flight  | 503 | true
                    server_error           | 500 | true
                    not_found              | 404 | false
                    method_not_allowed     | 405 | false
                    insufficient_scope     | 403 | false
                    key_not_found          | 404 | false
                    last_key               | 409 | false
                    quota_exceeded         | 402 | false
                    plan_expired           | 402 | false
                    max_workers_reached    | 429 | true
                    payment_failed         | 402 | false
                    rate_limited           | 429 | true
                    operation_not_found    | 404 | false
                    too_many_operations    | 429 | true
                    """)
    void each_error_has_its_status_and_says_whether_to_try_again(
            String code, int status, boolean retryable) {
        Reply reply = Provoked.reply(server, tasks, code);
        assertThat(reply.error()).isEqualTo(code);
        assertThat(reply.status()).isEqualTo(status);
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isEqualTo(retryable);
    }

    /// T-239 to T-254: none of the contract's sixteen is only on paper.
    @Test
    void every_error_of_the_contract_can_be_met() {
        assertThat(CODES)
                .containsAll(
                        Arrays.stream(TaskError.values())
                                .limit(TaskError.SERVER_ERROR.ordinal() + 1)
                                .map(TaskError::code)
                                .toList());
    }

    /// T-237, T-262, T-266.
    @ParameterizedTest
    @FieldSource("CODES")
    void every_error_has_the_four_fields_and_no_others(String code) {
        Reply reply = Provoked.reply(server, tasks, code);
        assertThat(reply.body().propertyNames())
                .containsExactlyInAnyOrder("error", "message", "request_id", "agent_contract");
        assertThat(reply.at("/error").isString()).isTrue();
        assertThat(reply.text("/message")).isNotBlank();
        assertThat(reply.text("/request_id")).matches("req_[0-9a-z]{26}");
        assertThat(reply.at("/agent_contract").isObject()).isTrue();
        assertThat(reply.at("/agent_contract/next_actions").size()).isPositive();
        assertThat(reply.header("Content-Type")).startsWith("application/json");
    }

    /// T-238.
    @ParameterizedTest
    @FieldSource("CODES")
    void the_request_id_is_the_same_in_body_header_and_log(String code) {
        Reply reply;
        List<String> logged;
        try (var log = new CapturedLog()) {
            reply = Provoked.reply(server, tasks, code);
            logged =
                    log.events().stream()
                            .map(event -> event.getMDCPropertyMap().getOrDefault("request_id", ""))
                            .toList();
        }
        assertThat(reply.header("X-Request-Id")).isEqualTo(reply.text("/request_id"));
        assertThat(logged).contains(reply.text("/request_id"));
    }

    /// T-238: unique under load, and never the caller's own.
    @Test
    void request_ids_are_unique() {
        List<String> ids =
                Parallel.run(8, _ -> () -> fiftyIds()).stream().flatMap(List::stream).toList();
        assertThat(ids).hasSize(400).doesNotHaveDuplicates().doesNotContain("mine");
    }

    private List<String> fiftyIds() {
        var api = tasks.api().with("X-Request-Id", "mine");
        return IntStream.range(0, 50)
                .mapToObj(_ -> api.get("/v1/tasks/none").header("X-Request-Id"))
                .toList();
    }

    /// T-254, T-262: nothing of the failure gets out, whatever lane it came from.
    @ParameterizedTest
    @ValueSource(strings = {"submit", "claim", "holder", "settle", "command", "pool"})
    void a_failure_inside_is_told_without_its_details(String lane) {
        String id = tasks.create("inside");
        var failpoints = server.kernel().failpoints();
        failpoints.arm(
                lane + ".before-commit",
                () -> {
                    throw new IllegalStateException(Provoked.SECRET);
                });
        try {
            List<Reply> failed =
                    Requests.authenticated(id).stream()
                            .map(request -> request.by(tasks.api()))
                            .filter(reply -> reply.status() >= 500)
                            .toList();
            assertThat(failed).isNotEmpty();
            for (Reply reply : failed) {
                assertThat(reply.error()).isEqualTo("server_error");
                assertThat(reply.text())
                        .doesNotContainIgnoringCase("secret")
                        .doesNotContainIgnoringCase("select")
                        .doesNotContain("io.orchestrion", ".java", "Exception", "\\tat ");
            }
        } finally {
            failpoints.disarm(lane + ".before-commit");
        }
        assertThat(tasks.get(id).status()).isEqualTo(200);
    }

    /// T-254, T-260: the kinds of trouble that a store can have.
    @ParameterizedTest
    @EnumSource(StoreException.Kind.class)
    void trouble_with_the_store_is_told_by_its_kind(StoreException.Kind kind) {
        server.kernel()
                .failpoints()
                .arm(
                        "submit.before-commit",
                        () -> {
                            throw new StoreException(kind, Provoked.SECRET);
                        });
        Reply reply;
        try {
            reply = tasks.api().post("/v1/tasks", "{\"type\":\"a\",\"payload\":{}}");
        } finally {
            server.kernel().failpoints().disarm("submit.before-commit");
        }
        String told =
                switch (kind) {
                    case UNAVAILABLE, OUTCOME_UNKNOWN -> "503 server_error";
                    case CONFLICT, LOCKED, TIMED_OUT, OVERLOADED -> "503 overloaded";
                    case NO_ROOM -> "507 insufficient_storage";
                    case REJECTED -> "500 server_error";
                };
        assertThat(reply.status() + " " + reply.error()).isEqualTo(told);
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(reply.text("/agent_contract/next_actions/0/action"))
                .isEqualTo("retry_after_wait");
        assertThat(reply.text()).doesNotContainIgnoringCase("select");
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isZero();
        tasks.create("afterwards");
    }

    /// T-256: what is asked is looked at only after who is asking, and before the task.
    @Test
    void validation_comes_after_the_key_and_before_the_task() {
        var stranger = server.anonymous().withKey("wrong");
        assertThat(stranger.post("/v1/tasks", "{bad").error()).isEqualTo("invalid_api_key");
        assertThat(stranger.get("/v1/tasks?limit=0").error()).isEqualTo("invalid_api_key");
        assertThat(stranger.get("/v1/tasks?key=x").error()).isEqualTo("invalid_request");
        assertThat(tasks.verb(Requests.NO_TASK, "fail", "{\"reason\":5}").error())
                .isEqualTo("invalid_request");
    }
}
