package io.orchestrion.app;

import static io.orchestrion.app.OrchestrationServers.ROOT;
import static io.orchestrion.app.OrchestrationServers.retry;
import static io.orchestrion.app.OrchestrationServers.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.app.OrchestrationServers.Claimed;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.JsonNode;

import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What follows from what workers report, where each request may go to another one of two server
/// processes.
class OrchestrationFailuresTest {
    private static final String NOT_SAFE = ",\"idempotency_strategy\":\"NOT_SAFE_TO_RETRY\"";
    private static final String HALF = "\"code\":\"line_dead\",\"partial_side_effect\":true";
    private static final int DELAY_MS = 600_000;

    @TempDir static Path oneData;
    @TempDir static Path otherData;
    private static OrchestrationServers servers;

    @BeforeAll
    static void begin() {
        servers = new OrchestrationServers(oneData, otherData);
    }

    @AfterAll
    static void end() {
        servers.close();
    }

    private static JsonNode attempt(String execution, int number) {
        return servers.execution(execution).at("/steps/" + (number - 1));
    }

    private static List<JsonNode> listed(String list, String execution) {
        Reply page = servers.at(0).get(ROOT + list + "?limit=100");
        assertThat(page.status()).as(page.text()).isEqualTo(200);
        return page.at("/items").values().stream()
                .filter(item -> item.get("execution_id").asString().equals(execution))
                .toList();
    }

    /// The only one of an execution, as the other server has it.
    private static JsonNode letter(String execution) {
        List<JsonNode> letters = listed("/dlq", execution);
        assertThat(letters).hasSize(1);
        return servers.at(1)
                .get(ROOT + "/dlq/" + letters.getFirst().get("dlq_id").asString())
                .body();
    }

    private static String text(JsonNode node, String field) {
        return node.get(field).asString();
    }

    /// E-227: the classes that are retried, each with the wait that it asks for.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "code":"unavailable"                                  | TRANSIENT         |  600
                    "code":"timeout"                                      | TRANSIENT         |  600
                    "code":"bank","http_status":503                       | TRANSIENT         |  600
                    "code":"optimistic_lock_conflict","http_status":409   | RETRYABLE         |  600
                    "code":"bank","http_status":412                       | RETRYABLE         |  600
                    "code":"rate_limited"                                 | RATE_LIMITED      |  600
                    "code":"bank","http_status":429,"retry_after_seconds":1800 | RATE_LIMITED | 1800
                    "code":"rate_limited","retry_after_seconds":60        | RATE_LIMITED      |  600
                    "code":"dependency_failed"                            | DEPENDENCY_FAILED | 2400
                    "code":"bank","http_status":424                       | DEPENDENCY_FAILED | 2400
                    """)
    void a_failure_of_a_class_that_is_retried_waits_for_its_time(
            String error, String errorClass, int seconds) {
        String execution =
                servers.started(servers.published(retry(3, DELAY_MS), task("waits", "")));
        assertThat(servers.claimed(0, "waits").fail(1, error).status()).isEqualTo(200);
        assertThat(servers.attempts(execution))
                .containsExactly("waits#1 failed", "waits#2 retrying");
        assertThat(text(attempt(execution, 1), "error_class")).isEqualTo(errorClass);
        Instant failed = Instant.parse(text(attempt(execution, 1), "finished_at"));
        Instant again = Instant.parse(text(attempt(execution, 2), "retry_after_at"));
        assertThat(Duration.between(failed, again)).isEqualTo(Duration.ofSeconds(seconds));
        assertThat(servers.nothingToClaim("waits")).isTrue();
        assertThat(servers.status(execution)).isEqualTo("running");
        assertThat(listed("/dlq", execution)).isEmpty();
    }

    /// E-227: the same classes, whose next attempt is handed out, as often as the policy says.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "code":"unavailable"              | TRANSIENT
                    "code":"optimistic_lock_conflict" | RETRYABLE
                    "code":"rate_limited"             | RATE_LIMITED
                    "code":"dependency_failed"        | DEPENDENCY_FAILED
                    """)
    void a_failure_of_a_class_that_is_retried_is_tried_again(String error, String errorClass) {
        String execution = servers.started(servers.published(retry(3, 0), task("again", "")));
        for (int i = 0; i < 2; i++) {
            assertThat(servers.claimed(i, "again").fail(i + 1, error).status()).isEqualTo(200);
        }
        assertThat(servers.claimed(0, "again").complete(1).status()).isEqualTo(200);
        assertThat(servers.status(execution)).isEqualTo("succeeded");
        assertThat(servers.attempts(execution))
                .containsExactly("again#1 failed", "again#2 failed", "again#3 succeeded");
        assertThat(text(attempt(execution, 2), "error_class")).isEqualTo(errorClass);
        assertThat(listed("/dlq", execution)).isEmpty();
    }

    /// E-227, E-228: never retried, and a dead letter each. A worker cannot name a class.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "code":"validation_failed"                     | NON_RETRYABLE | non_retryable
                    "code":"permission_denied","http_status":503   | NON_RETRYABLE | non_retryable
                    "code":"bank","http_status":422                | NON_RETRYABLE | non_retryable
                    "code":"nobody_knows"                          | NON_RETRYABLE | non_retryable
                    "code":"TRANSIENT"                             | NON_RETRYABLE | non_retryable
                    "code":"unavailable","partial_side_effect":true \
                    | COMPENSATION_REQUIRED | compensation_required
                    """)
    void a_failure_of_a_class_that_is_not_retried_ends_the_step(
            String error, String errorClass, String reason) {
        String execution = servers.started(servers.published(retry(3, 0), task("final", "")));
        assertThat(servers.claimed(1, "final").fail(0, error).status()).isEqualTo(200);
        assertThat(servers.attempts(execution)).containsExactly("final#1 failed");
        assertThat(text(attempt(execution, 1), "error_class")).isEqualTo(errorClass);
        assertThat(servers.status(execution)).isEqualTo("failed");
        assertThat(servers.nothingToClaim("final")).isTrue();
        JsonNode letter = letter(execution);
        assertThat(text(letter, "reason")).isEqualTo(reason);
        assertThat(text(letter, "error_class")).isEqualTo(errorClass);
        assertThat(text(letter, "status")).isEqualTo("open");
        assertThat(text(letter, "step_execution_id"))
                .isEqualTo(text(attempt(execution, 1), "step_execution_id"));
    }

    /// E-228: the attempts are used up.
    @Test
    void a_step_without_attempts_left_is_one_dead_letter_of_its_last_attempt() {
        String execution = servers.started(servers.published(retry(3, 0), task("used_up", "")));
        for (int i = 0; i < 3; i++) {
            assertThat(listed("/dlq", execution)).isEmpty();
            Claimed claimed = servers.claimed(i, "used_up");
            assertThat(claimed.of("attempt_number")).isEqualTo(String.valueOf(i + 1));
            assertThat(claimed.fail(i + 1, "\"code\":\"unavailable\"").status()).isEqualTo(200);
        }
        assertThat(servers.nothingToClaim("used_up")).isTrue();
        assertThat(servers.status(execution)).isEqualTo("failed");
        assertThat(servers.attempts(execution))
                .containsExactly("used_up#1 failed", "used_up#2 failed", "used_up#3 failed");
        JsonNode letter = letter(execution);
        assertThat(text(letter, "reason")).isEqualTo("attempts_exhausted");
        assertThat(text(letter, "status")).isEqualTo("open");
        assertThat(text(letter, "error_class")).isEqualTo("TRANSIENT");
        assertThat(text(letter, "step_execution_id"))
                .isEqualTo(text(attempt(execution, 3), "step_execution_id"));
        assertThat(letter.get("actions").toString()).contains("reprocess");
    }

    /// E-228: what the next step takes over is no work for anybody.
    @Test
    void a_step_that_fails_into_another_step_is_a_dead_letter_that_is_handled() {
        String execution =
                servers.started(
                        servers.published(
                                retry(1, 0),
                                task("breaks", ",\"on_failure\":\"takes_over\""),
                                task("takes_over", "")));
        Claimed breaking = servers.claimed(0, "breaks");
        assertThat(breaking.fail(1, "\"code\":\"unavailable\"").status()).isEqualTo(200);
        assertThat(text(letter(execution), "reason")).isEqualTo("attempts_exhausted");
        assertThat(text(letter(execution), "status")).isEqualTo("handled");
        assertThat(servers.claimed(1, "takes_over").complete(0).status()).isEqualTo(200);
        assertThat(servers.status(execution)).isEqualTo("succeeded");
    }

    /// E-230: everything stops, a person is asked, and the handler runs once that person agrees.
    @Test
    void a_half_done_step_halts_the_execution_and_asks_somebody() {
        String execution =
                servers.started(
                        servers.published(
                                retry(3, 0),
                                task(
                                        "pay",
                                        NOT_SAFE
                                                + ",\"on_success\":\"after\",\"on_failure\":\"after\""
                                                + ",\"compensation_policy\":\"manual\""
                                                + ",\"compensation_handler\":\"task:refund\""),
                                task("after", "")));
        assertThat(servers.claimed(0, "pay").fail(1, HALF).status()).isEqualTo(200);

        Reply halted = servers.execution(execution);
        assertThat(halted.text("/status")).isEqualTo("waiting_approval");
        assertThat(halted.text("/blocked_on/0/step_id")).isEqualTo("pay");
        for (String type : List.of("pay", "refund", "after")) {
            assertThat(servers.nothingToClaim(type)).as(type).isTrue();
        }
        assertThat(text(attempt(execution, 1), "error_class")).isEqualTo("COMPENSATION_REQUIRED");
        assertThat(text(letter(execution), "reason")).isEqualTo("compensation_required");
        assertThat(text(letter(execution), "compensation")).isEqualTo("asked");
        assertThat(listed("/review", execution))
                .extracting(entry -> text(entry, "kind"))
                .containsExactly("compensation");
        assertThat(halted.at("/agent_contract/next_actions").toString()).contains("approve_step");
        List<JsonNode> asked = listed("/approvals", execution);
        assertThat(asked).hasSize(1);
        assertThat(text(asked.getFirst(), "kind")).isEqualTo("compensation");
        assertThat(text(asked.getFirst(), "status")).isEqualTo("pending");

        String approval = ROOT + "/approvals/" + text(asked.getFirst(), "approval_id");
        assertThat(servers.at(1).post(approval + "/approve").status()).isEqualTo(200);
        Claimed undoing = servers.claimed(0, "refund");
        assertThat(undoing.of("kind")).isEqualTo("compensation");
        assertThat(servers.nothingToClaim("after")).isTrue();
        assertThat(undoing.complete(1).status()).isEqualTo(200);
        assertThat(servers.nothingToClaim("refund")).isTrue();
        assertThat(servers.nothingToClaim("pay")).isTrue();
        assertThat(servers.claimed(0, "after").complete(1).status()).isEqualTo(200);
        assertThat(servers.attempts(execution))
                .containsExactly(
                        "pay#1 failed", "compensation pay#1 succeeded", "after#1 succeeded");
        assertThat(servers.status(execution)).isEqualTo("succeeded");
    }

    /// E-230: nobody but a person can undo it, and what that person has to do is said.
    @Test
    void a_half_done_step_without_a_handler_stops_and_says_what_a_person_has_to_do() {
        String execution =
                servers.started(
                        servers.published(
                                retry(3, 0),
                                task("send", NOT_SAFE + ",\"on_failure\":\"sent\""),
                                task("sent", "")));
        assertThat(servers.claimed(1, "send").fail(0, HALF).status()).isEqualTo(200);
        assertThat(servers.status(execution)).isEqualTo("failed");
        for (String type : List.of("send", "sent")) {
            assertThat(servers.nothingToClaim(type)).as(type).isTrue();
        }
        JsonNode letter = letter(execution);
        assertThat(text(letter, "status")).isEqualTo("open");
        assertThat(text(letter, "action_required")).isEqualTo("manual_compensation");
        assertThat(listed("/review", execution))
                .anySatisfy(
                        entry ->
                                assertThat(text(entry, "action_required"))
                                        .isEqualTo("manual_compensation"));

        String marking = ROOT + "/review/" + text(letter, "dlq_id") + "/mark-compensated";
        Reply marked = servers.at(1).post(marking, "{\"note\":\"by hand\"}");
        assertThat(marked.status()).as(marked.text()).isEqualTo(200);
        assertThat(text(letter(execution), "status")).isEqualTo("resolved");
        assertThat(servers.execution(execution).at("/compensated").asBoolean()).isTrue();
        assertThat(servers.nothingToClaim("send")).isTrue();
    }
}
