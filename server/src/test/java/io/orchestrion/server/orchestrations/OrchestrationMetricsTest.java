package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.ROOT;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.observe.DoorWords;
import io.orchestrion.server.observe.Metrics;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;

/// What is counted of executions, and who did what to them.
@Timeout(180)
class OrchestrationMetricsTest {
    private final TestServer server = new TestServer();
    private final OrchestrationApi mine = OrchestrationApi.on(server);

    @AfterEach
    void close() {
        server.close();
    }

    private double metric(String name) {
        var metrics = new Metrics(new DoorWords(Doors.ALL));
        metrics.show(server.kernel().kernel(), "test", () -> 0);
        String scraped = metrics.scrape(null);
        return scraped.lines()
                .filter(line -> line.startsWith(name + " "))
                .map(line -> Double.parseDouble(line.substring(name.length() + 1)))
                .findFirst()
                .orElseThrow(() -> new AssertionError(name + " is not in\n" + scraped));
    }

    private static String of(String metric, String definition) {
        return metric + "{definition=\"" + definition + "\"}";
    }

    private long stored(String status, String reason) {
        return server.database()
                .value(
                        "select count(*) from orchestration_dead_letter where status = ? and reason"
                            + " = ?",
                        status,
                        reason);
    }

    /// E-194, E-195, E-196, CB-024.
    @Test
    void executions_are_counted_by_their_definition() {
        String first = mine.published(document(task("a", "")));
        String second = mine.published(document(task("b", "")));
        mine.started(first);
        mine.done("do_a");
        mine.started(first);
        mine.failed("do_a", "validation_failed");
        mine.verb(mine.started(second), "cancel");
        assertThat(metric(of("orchestration_executions_started_total", first))).isEqualTo(2);
        assertThat(metric(of("orchestration_executions_started_total", second))).isEqualTo(1);
        assertThat(metric(of("orchestration_executions_succeeded_total", first))).isEqualTo(1);
        assertThat(metric(of("orchestration_executions_failed_total", first))).isEqualTo(1);
        assertThat(metric(of("orchestration_executions_canceled_total", second))).isEqualTo(1);
    }

    /// E-197: one for each retry that was scheduled, under the class of the error before it.
    @Test
    void retries_are_counted_by_the_class_of_the_error() {
        mine.started(mine.published(document(task("a", ""))));
        mine.failed("do_a", "connect_failed");
        mine.failed("do_a", "connect_failed");
        assertThat(metric("orchestration_step_retries_total{error_class=\"TRANSIENT\"}"))
                .isEqualTo(1);
        assertThat(metric("orchestration_step_retries_total{error_class=\"RATE_LIMITED\"}"))
                .isEqualTo(0);
    }

    /// E-198, E-201: as many as there are in the table, whatever became of them.
    @Test
    void dead_letters_are_counted_as_they_are_stored() {
        String failing = mine.published(document(task("a", "")));
        String open = mine.started(failing);
        mine.failed("do_a", "validation_failed");
        mine.started(failing);
        mine.failed("do_a", "connect_failed");
        mine.failed("do_a", "connect_failed");
        String undone =
                mine.started(
                        mine.published(
                                document(
                                        task(
                                                "b",
                                                ",\"compensation_handler\":\"task:undo_b\","
                                                        + "\"compensation_policy\":\"auto\""))));
        mine.tasks()
                .verb(
                        mine.claimed("do_b"),
                        "fail",
                        "{\"reason\":\"no\",\"error\":{\"code\":\"c\",\"message\":\"m\","
                                + "\"partial_side_effect\":true}}");
        mine.failed("undo_b", "validation_failed");
        assertThat(mine.status(undone)).isEqualTo("failed");
        mine.verb(open, "retry", "{\"reason\":\"again\"}");
        assertThat(stored("open", "compensation_failed")).isEqualTo(1);
        for (String status : List.of("open", "handled", "reprocessed", "resolved")) {
            for (String reason :
                    List.of(
                            "non_retryable",
                            "attempts_exhausted",
                            "compensation_required",
                            "compensation_failed")) {
                assertThat(
                                metric(
                                        "orchestration_dlq_items{reason=\"%s\",status=\"%s\"}"
                                                .formatted(reason, status)))
                        .as(status + " " + reason)
                        .isEqualTo(stored(status, reason));
            }
        }
    }

    /// E-199, E-200.
    @Test
    void durations_of_steps_are_shown_by_type_with_quantiles() {
        String definition = mine.published(document(task("a", "")));
        for (int i = 0; i < 4; i++) {
            mine.started(definition);
            String item = mine.claimed("do_a");
            server.clock().advance(Duration.ofSeconds(i == 3 ? 100 : 3));
            assertThat(mine.complete(item, "{}").status()).isEqualTo(200);
        }
        assertThat(
                        metric(
                                "orchestration_step_duration_seconds{quantile=\"0.5\",step_type=\"task\"}"))
                .isBetween(1.0, 20.0);
        assertThat(
                        metric(
                                "orchestration_step_duration_seconds{quantile=\"0.95\",step_type=\"task\"}"))
                .isGreaterThan(20.0);
        assertThat(
                        metric(
                                "orchestration_step_duration_histogram_seconds_count{step_type=\"task\"}"))
                .isEqualTo(4);
    }

    /// E-206, E-207, E-209, E-210, E-211: who and why, also of what nobody did.
    @Test
    void the_audit_shows_what_people_and_the_engine_did() {
        String execution = mine.started(mine.published(document(task("a", ""))));
        mine.failed("do_a", "validation_failed");
        mine.verb(execution, "retry", "{\"reason\":\"mended\"}");
        mine.done("do_a");
        Reply page = mine.api().get("/v1/audit-events?subject=" + execution);
        assertThat(page.at("/items").values())
                .extracting(item -> item.get("event").asString())
                .containsExactly(
                        "execution.started",
                        "execution.failed",
                        "orchestration.retry",
                        "execution.succeeded");
        assertThat(page.text("/items/0/actor/type")).isEqualTo("server");
        assertThat(page.text("/items/2/actor/type")).isEqualTo("key");
        assertThat(page.text("/items/2/actor/name")).isNotEmpty();
        assertThat(page.text("/items/2/detail/reason")).isEqualTo("mended");
        Reply newest = mine.api().get("/v1/audit-events?order=newest&limit=1&event=execution");
        assertThat(newest.text("/items/0/event")).isEqualTo("execution.succeeded");
        assertThat(
                        OrchestrationApi.on(server)
                                .api()
                                .get("/v1/audit-events?subject=" + execution)
                                .at("/items"))
                .isEmpty();
        assertThat(mine.api().get("/v1/audit-events?cursor=x").status()).isEqualTo(400);
    }

    /// E-205: what a worker says by mistake is not kept.
    @Test
    void a_secret_in_an_error_is_shown_nowhere() {
        String secret = "hunter2hunter2";
        String execution = mine.started(mine.published(document(task("a", ""))));
        mine.tasks()
                .verb(
                        mine.claimed("do_a"),
                        "fail",
                        "{\"reason\":\"r\",\"error\":{\"code\":\"validation_failed\",\"message\":"
                                + "\"Authorization: Bearer %s refused\"}}".formatted(secret));
        assertThat(mine.get(execution).text()).contains("[redacted]").doesNotContain(secret);
        assertThat(mine.api().get(ROOT + "/dlq").text()).doesNotContain(secret);
        assertThat(mine.api().get("/v1/events?include=subjects").text())
                .contains("execution_step")
                .contains("dead_letter")
                .doesNotContain("hunter2hunter2 refused");
        for (String table :
                List.of(
                        "orchestration_step",
                        "orchestration_dead_letter",
                        "orchestration_execution",
                        "subject_event")) {
            assertThat(
                            server.database()
                                    .<Long>value(
                                            "select count(*) from "
                                                    + table
                                                    + " t where t::text like '%"
                                                    + secret
                                                    + "%'"))
                    .as(table)
                    .isZero();
        }
    }
}
