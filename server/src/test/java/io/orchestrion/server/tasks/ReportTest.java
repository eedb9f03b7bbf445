package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.time.Instant;

/// What a worker reports of an attempt beside its result.
class ReportTest {
    private static final String ERROR =
            "{\"code\":\"rate_limited\",\"http_status\":429,\"message\":\"too busy\","
                    + "\"retry_after_seconds\":90,\"partial_side_effect\":true}";

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

    private record Held(String id, String token) {
        String body(String fields) {
            return "{\"leaseToken\":\"" + token + "\"," + fields + "}";
        }
    }

    private Held claimed() {
        tasks.create("work");
        Reply claim = tasks.claim("work");
        return new Held(claim.text("/task/id"), claim.text("/leaseToken"));
    }

    private static Reply done(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        return reply;
    }

    /// T-078: tasks speak camelCase; errors do not.
    @Test
    void a_completion_says_what_was_used_and_where_the_logs_are() {
        Held held = claimed();
        String body =
                held.body("\"result\":{\"a\":1},\"usage\":{\"tokens\":7},\"logs_ref\":\"s3://l\"");
        done(tasks.verb(held.id, "complete", body));
        Reply read = tasks.get(held.id);
        assertThat(read.at("/task/usage").toString()).isEqualTo("{\"tokens\":7}");
        assertThat(read.text("/task/logsRef")).isEqualTo("s3://l");
        assertThat(read.at("/task").has("lastError")).isFalse();
        Reply list = tasks.api().get("/v1/tasks?status=completed");
        assertThat(list.at("/tasks/0/usage/tokens").asInt()).isEqualTo(7);
    }

    @Test
    void a_task_of_which_nothing_was_reported_is_shown_as_ever() {
        Held held = claimed();
        done(tasks.verb(held.id, "complete", held.body("\"result\":{}")));
        assertThat(tasks.get(held.id).at("/task").propertyNames())
                .doesNotContain("lastError", "usage", "logsRef", "correlationId");
    }

    @Test
    void a_failure_has_an_error_for_programs_and_its_message_is_the_reason() {
        Held held = claimed();
        Reply failed =
                done(
                        tasks.verb(
                                held.id,
                                "fail",
                                held.body(
                                        "\"error\":"
                                                + ERROR
                                                + ",\"usage\":{\"tokens\":1},\"logsRef\":\"x\"")));
        assertThat(failed.text("/task/lastFailureReason")).isEqualTo("too busy");
        Reply read = tasks.get(held.id);
        assertThat(read.at("/task/lastError").toString()).isEqualTo(ERROR);
        assertThat(read.at("/task/usage/tokens").asInt()).isEqualTo(1);
        assertThat(read.text("/task/logsRef")).isEqualTo("x");
    }

    @Test
    void a_failure_without_one_is_shown_without_one() {
        Held held = claimed();
        done(tasks.verb(held.id, "fail", held.body("\"reason\":\"no\",\"error\":" + ERROR)));
        assertThat(tasks.get(held.id).text("/task/lastFailureReason")).isEqualTo("no");
        server.clock().advance(Duration.ofSeconds(91));
        Reply claim = tasks.claim("work");
        done(tasks.verb(held.id, "fail", "{\"reason\":\"again\"}"));
        assertThat(claim.at("/task").has("lastError")).isTrue();
        assertThat(tasks.get(held.id).at("/task").has("lastError")).isFalse();
    }

    /// The wait that the error names, unless the report itself names one; at most a day.
    @ParameterizedTest
    @CsvSource({
        "'\"error\":{\"code\":\"c\",\"message\":\"m\",\"retry_after_seconds\":90}', 90",
        "'\"error\":{\"code\":\"c\",\"message\":\"m\",\"retry_after_seconds\":90},"
                + "\"retry_after_seconds\":5', 5",
        "'\"error\":{\"code\":\"c\",\"message\":\"m\",\"retry_after_seconds\":200000}', 86400",
        "'\"error\":{\"code\":\"c\",\"message\":\"m\",\"retry_after_seconds\":0}', 0",
        "'\"error\":{\"code\":\"c\",\"message\":\"m\"}', 0"
    })
    void a_failed_task_waits_as_long_as_its_error_asks_for(String fields, long seconds) {
        Held held = claimed();
        Reply failed = done(tasks.verb(held.id, "fail", held.body(fields)));
        if (seconds == 0) {
            assertThat(tasks.claim("work").text("/task/id")).isEqualTo(held.id);
        } else {
            assertThat(Instant.parse(failed.text("/task/scheduledAt")))
                    .isEqualTo(
                            Instant.parse(failed.text("/task/lastFailedAt")).plusSeconds(seconds));
        }
    }

    @Test
    void the_same_report_said_again_is_a_repeat_and_another_is_not() {
        Held held = claimed();
        String fields = "\"result\":{},\"usage\":{\"tokens\":7},\"logs_ref\":\"l\"";
        done(tasks.verb(held.id, "complete", held.body(fields)));
        assertThat(
                        done(tasks.verb(held.id, "complete", held.body(fields)))
                                .header("Idempotency-Replayed"))
                .isEqualTo("true");
        String other = fields.replace("7", "8");
        assertThat(tasks.verb(held.id, "complete", held.body(other)).error())
                .isEqualTo("invalid_transition");
        Held failing = claimed();
        String error = "\"error\":" + ERROR;
        done(tasks.verb(failing.id, "fail", failing.body(error)));
        assertThat(
                        done(tasks.verb(failing.id, "fail", failing.body(error)))
                                .header("Idempotency-Replayed"))
                .isEqualTo("true");
        assertThat(
                        tasks.verb(failing.id, "fail", failing.body(error.replace("429", "503")))
                                .status())
                .isEqualTo(409);
    }

    @Test
    void each_of_many_reports_says_the_same_as_one_alone() {
        Held first = claimed();
        Held second = claimed();
        done(
                tasks.api()
                        .post(
                                "/v1/tasks/batch/complete",
                                "{\"items\":[{\"id\":\"%s\",\"usage\":{\"tokens\":3},\"logs_ref\":\"b\"}]}"
                                        .formatted(first.id)));
        Reply failed =
                done(
                        tasks.api()
                                .post(
                                        "/v1/tasks/batch/fail",
                                        "{\"items\":[{\"id\":\"%s\",\"error\":%s}]}"
                                                .formatted(second.id, ERROR)));
        assertThat(failed.number("/done")).isEqualTo(1);
        assertThat(tasks.get(first.id).at("/task/usage/tokens").asInt()).isEqualTo(3);
        assertThat(tasks.get(first.id).text("/task/logsRef")).isEqualTo("b");
        assertThat(tasks.get(second.id).at("/task/lastError").toString()).isEqualTo(ERROR);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "error :: {\"message\":\"m\"}",
                "error :: {\"code\":\"c\"}",
                "error :: {\"code\":\"\",\"message\":\"m\"}",
                "error :: {\"code\":\"no spaces\",\"message\":\"m\"}",
                "error :: {\"code\":\"c\",\"message\":\"\"}",
                "error :: {\"code\":\"c\",\"message\":\"m\",\"http_status\":99}",
                "error :: {\"code\":\"c\",\"message\":\"m\",\"http_status\":600}",
                "error :: {\"code\":\"c\",\"message\":\"m\",\"retry_after_seconds\":-1}",
                "error :: {\"code\":\"c\",\"message\":\"m\",\"retry_after_seconds\":2592001}",
                "error :: {\"code\":\"c\",\"message\":\"m\",\"partial_side_effect\":\"yes\"}",
                "error :: {\"code\":\"c\",\"message\":\"m\",\"class\":\"TRANSIENT\"}",
                "error :: \"broken\"",
                "usage :: 7",
                "usage :: {\"a\":{\"b\":{\"c\":{\"d\":{}}}}}",
                "logs_ref :: \"\"",
                "logs_ref :: 1"
            })
    void what_is_out_of_bounds_is_refused_by_name(String row) {
        Held held = claimed();
        String field = row.substring(0, row.indexOf(' '));
        String value = row.substring(row.indexOf(":: ") + 3);
        Reply refused = tasks.verb(held.id, "fail", held.body("\"" + field + "\":" + value));
        assertThat(refused.status()).as(refused.text()).isEqualTo(400);
        assertThat(refused.text("/message")).contains(field);
        assertThat(tasks.status(held.id)).isEqualTo("claimed");
    }

    @Test
    void the_longest_of_everything_is_kept() {
        Held held = claimed();
        String usage = "{\"u\":\"" + "x".repeat(4096 - 8) + "\"}";
        String message = "😀".repeat(500);
        String logs = "é".repeat(500);
        String body =
                held.body(
                        "\"error\":{\"code\":\"%s\",\"message\":\"%s\"},\"usage\":%s,\"logs_ref\":\"%s\""
                                .formatted("c".repeat(100), message, usage, logs));
        assertThat(
                        tasks.verb(held.id, "fail", body.replace("{\"u\":\"", "{\"u\":\"y"))
                                .text("/message"))
                .contains("usage", "4096");
        done(tasks.verb(held.id, "fail", body));
        Reply read = tasks.get(held.id);
        assertThat(read.text("/task/lastError/message")).isEqualTo(message);
        assertThat(read.at("/task/usage").toString()).isEqualTo(usage);
        assertThat(read.text("/task/logsRef")).isEqualTo(logs);
    }

    @Test
    void events_of_a_task_have_the_errors_and_the_correlation_id() {
        String id = tasks.create("named", "\"correlationId\":\"order-7\"");
        tasks.verb(id, "claim");
        done(tasks.verb(id, "fail", "{\"error\":" + ERROR + "}"));
        Reply events = tasks.api().get("/v1/events?taskId=" + id);
        assertThat(events.at("/events").size()).isEqualTo(3);
        for (var event : events.at("/events")) {
            assertThat(event.get("correlationId").asString()).isEqualTo("order-7");
        }
        assertThat(events.at("/events/1").has("error")).isFalse();
        assertThat(events.at("/events/2/error").toString()).isEqualTo(ERROR);
        assertThat(events.text("/events/2/reason")).isEqualTo("too busy");
    }

    @Test
    void the_correlation_id_is_that_of_the_body_or_of_the_header() {
        var named = tasks.api().with("X-Correlation-Id", "from-the-head");
        String task = "{\"type\":\"named\",\"payload\":{}%s}";
        assertThat(named.post("/v1/tasks", task.formatted("")).text("/task/correlationId"))
                .isEqualTo("from-the-head");
        assertThat(
                        named.post("/v1/tasks", task.formatted(",\"correlation_id\":\"own\""))
                                .text("/task/correlationId"))
                .isEqualTo("own");
        Reply batch =
                named.post(
                        "/v1/tasks/batch",
                        "{\"tasks\":[%s,%s]}"
                                .formatted(
                                        task.formatted(""),
                                        task.formatted(",\"correlationId\":\"own\"")));
        assertThat(batch.text("/results/0/task/correlationId")).isEqualTo("from-the-head");
        assertThat(batch.text("/results/1/task/correlationId")).isEqualTo("own");
        for (String path : new String[] {"/v1/tasks", "/v1/tasks/batch"}) {
            Reply refused =
                    tasks.api()
                            .with("X-Correlation-Id", "x".repeat(201))
                            .post(path, task.formatted(""));
            assertThat(refused.status()).isEqualTo(400);
            assertThat(refused.text("/message")).contains("X-Correlation-Id", "200");
        }
        Reply tooLong =
                tasks.api()
                        .post(
                                "/v1/tasks",
                                task.formatted(",\"correlationId\":\"" + "x".repeat(201) + "\""));
        assertThat(tooLong.text("/message")).contains("correlationId");
    }
}
