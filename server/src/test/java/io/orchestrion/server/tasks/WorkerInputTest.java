package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Instant;
import java.util.List;

/// What a worker may say about the task that it holds.
class WorkerInputTest {
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
    private String id;
    private List<String> before;

    @BeforeEach
    void holdATask() {
        id = tasks.create("held");
        tasks.claim("held");
        before = Storage.of(server).tasksOf(tasks.accountId());
    }

    private Reply done(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    /// Refused, and the task is as it was.
    private void refused(Reply reply, String field) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).contains(field);
        assertThat(Storage.of(server).tasksOf(tasks.accountId())).isEqualTo(before);
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    /// T-073.
    @ParameterizedTest
    @ValueSource(strings = {"x", "é", "😀"})
    void a_failure_reason_has_at_most_500_characters(String character) {
        String body = "{\"lastFailureReason\":\"%s\"}";
        refused(tasks.verb(id, "fail", body.formatted(character.repeat(501))), "lastFailureReason");
        done(tasks.verb(id, "fail", body.formatted(character.repeat(500))));
        assertThat(tasks.get(id).text("/task/lastFailureReason")).isEqualTo(character.repeat(500));
    }

    /// T-073.
    @ParameterizedTest
    @ValueSource(strings = {"5", "true", "{}", "[\"x\"]"})
    void a_failure_reason_is_a_string(String value) {
        refused(
                tasks.verb(id, "fail", "{\"lastFailureReason\":%s}".formatted(value)),
                "lastFailureReason");
    }

    /// T-073: without one, and with an empty body, the task fails all the same.
    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"lastFailureReason\":null}", "{\"reason\":\"\"}"})
    void a_failure_needs_no_reason(String body) {
        done(body.isEmpty() ? tasks.verb(id, "fail") : tasks.verb(id, "fail", body));
        assertThat(tasks.status(id)).isEqualTo("pending");
    }

    /// T-074: bytes of the compact JSON.
    @Test
    void a_result_has_at_most_65536_bytes() {
        String body = "{\"result\": { \"s\" : \"%s\" } }";
        refused(tasks.verb(id, "complete", body.formatted("x".repeat(65_536 - 7))), "result");
        refused(
                tasks.verb(id, "complete", body.formatted("é".repeat((65_536 - 8) / 2) + "x")),
                "result");
        done(tasks.verb(id, "complete", body.formatted("x".repeat(65_536 - 8))));
        assertThat(tasks.get(id).text("/task/result/s")).hasSize(65_536 - 8);
    }

    /// T-074.
    @ParameterizedTest
    @ValueSource(strings = {"[]", "[{}]", "\"done\"", "5", "true", "false"})
    void a_result_is_an_object(String value) {
        refused(tasks.verb(id, "complete", "{\"result\":%s}".formatted(value)), "result");
    }

    /// T-075, T-076.
    @Test
    void result_and_output_are_shown_once_the_task_is_completed() {
        assertThat(tasks.get(id).at("/task/result").isNull()).isTrue();
        assertThat(tasks.get(id).at("/task/outputId").isNull()).isTrue();
        Reply answered =
                done(
                        tasks.verb(
                                id,
                                "complete",
                                "{\"result\":{\"rows\":3,\"s\":\"ü\"},\"outputId\":\"s3://é/1\"}"));
        Reply listed = tasks.api().get("/v1/tasks?type=held");
        for (var task :
                List.of(answered.at("/task"), tasks.get(id).at("/task"), listed.at("/tasks/0"))) {
            assertThat(task.at("/result/rows").asInt()).isEqualTo(3);
            assertThat(task.at("/result/s").asString()).isEqualTo("ü");
            assertThat(task.at("/outputId").asString()).isEqualTo("s3://é/1");
        }
    }

    /// T-075, T-076: no other verb takes them.
    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "fail", "claim", "cancel", "requeue"})
    void no_other_verb_sets_result_or_output(String verb) {
        refused(tasks.verb(id, verb, "{\"result\":{}}"), "result");
        refused(tasks.verb(id, verb, "{\"outputId\":\"o\"}"), "outputId");
    }

    /// T-075: a second completion does not replace the first.
    @Test
    void a_completed_task_keeps_its_result() {
        done(tasks.verb(id, "complete", "{\"result\":{\"n\":1},\"outputId\":\"first\"}"));
        Reply again = tasks.verb(id, "complete", "{\"result\":{\"n\":2},\"outputId\":\"second\"}");
        assertThat(again.error()).isEqualTo("invalid_transition");
        assertThat(tasks.get(id).number("/task/result/n")).isEqualTo(1);
        assertThat(tasks.get(id).text("/task/outputId")).isEqualTo("first");
    }

    /// T-076.
    @ParameterizedTest
    @ValueSource(strings = {"5", "true", "{}", "[\"o\"]", "\"\""})
    void an_output_id_is_a_string(String value) {
        refused(tasks.verb(id, "complete", "{\"outputId\":%s}".formatted(value)), "outputId");
    }

    /// T-077.
    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"result\":null,\"outputId\":null}"})
    void nothing_needs_to_be_said_to_complete(String body) {
        done(body.isEmpty() ? tasks.verb(id, "complete") : tasks.verb(id, "complete", body));
        Reply task = tasks.get(id);
        assertThat(task.text("/task/status")).isEqualTo("completed");
        assertThat(task.at("/task/result").isNull()).isTrue();
        assertThat(task.at("/task/outputId").isNull()).isTrue();
    }

    /// T-077: one without the other.
    @ParameterizedTest
    @ValueSource(strings = {"{\"result\":{}}", "{\"outputId\":\"o\"}"})
    void result_and_output_are_optional_each(String body) {
        done(tasks.verb(id, "complete", body));
        Reply task = tasks.get(id);
        assertThat(task.at("/task/result").isNull()).isEqualTo(!body.contains("result"));
        assertThat(task.at("/task/outputId").isNull()).isEqualTo(!body.contains("outputId"));
    }

    /// T-079.
    @Test
    void an_output_may_be_called_output_id() {
        done(tasks.verb(id, "complete", "{\"output_id\":\"o\"}"));
        assertThat(tasks.get(id).text("/task/outputId")).isEqualTo("o");
    }

    /// T-079.
    @ParameterizedTest
    @ValueSource(strings = {"retry_after_seconds", "retryAfterSeconds"})
    void a_failure_may_use_the_other_names(String delay) {
        Reply failed =
                done(tasks.verb(id, "fail", "{\"reason\":\"r\",\"%s\":600}".formatted(delay)));
        assertThat(failed.text("/task/lastFailureReason")).isEqualTo("r");
        Instant failedAt = Instant.parse(failed.text("/task/lastFailedAt"));
        assertThat(Instant.parse(failed.text("/task/scheduledAt")))
                .isEqualTo(failedAt.plusSeconds(600));
    }

    /// T-079: the same said twice is no contradiction.
    @Test
    void both_names_with_the_same_value_are_accepted() {
        done(tasks.verb(id, "complete", "{\"outputId\":\"o\",\"output_id\":\"o\"}"));
        String second = tasks.create("second");
        Reply claimed = tasks.verb(second, "claim", "{\"workerId\":\"w\",\"worker_id\":\"w\"}");
        assertThat(done(claimed).text("/task/claimedBy")).isEqualTo("w");
        done(
                tasks.verb(
                        second,
                        "fail",
                        "{\"reason\":\"r\",\"lastFailureReason\":\"r\",\"retry_after_seconds\":5"
                                + ",\"retryAfterSeconds\":5}"));
    }

    /// T-079.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    complete | {"outputId":"a","output_id":"b"}                   | outputId
                    fail     | {"lastFailureReason":"a","reason":"b"}             | lastFailureReason
                    fail     | {"retry_after_seconds":5,"retryAfterSeconds":6}    | retry_after_seconds
                    claim    | {"workerId":"a","worker_id":"b"}                   | workerId
                    """)
    void two_names_with_different_values_are_refused(String verb, String body, String field) {
        refused(tasks.verb(id, verb, body), field);
    }

    /// T-079: at the claim by type too, and nothing is handed out.
    @Test
    void a_claim_with_two_different_names_hands_out_nothing() {
        String other = tasks.create("other");
        Reply refused =
                tasks.api()
                        .post(
                                "/v1/tasks/claim",
                                "{\"type\":\"other\",\"workerId\":\"a\",\"worker_id\":\"b\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(tasks.status(other)).isEqualTo("pending");
    }

    /// T-064: a worker's name has bounds too.
    @ParameterizedTest
    @ValueSource(strings = {"\"\"", "5", "{}"})
    void a_workers_name_is_a_string_of_some_length(String value) {
        refused(tasks.verb(id, "claim", "{\"workerId\":%s}".formatted(value)), "workerId");
    }
}
