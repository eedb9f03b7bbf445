package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.RUNS;
import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Scrape;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What is counted of runs, as a scraper reads it.
@Timeout(180)
class RunMetricsTest {
    private final TestServer server = new TestServer();
    private final RunApi mine = RunApi.on(server);
    private final Api operator = RunApi.operator(server);

    @AfterEach
    void close() {
        server.close();
    }

    /// Readings are good for a second, so each has a server of its own.
    private Scrape scrape() {
        Kernel kernel = server.kernel().anotherNode(RunMetricsTest::likeThis);
        try (kernel;
                var other = OrchestrionServer.start(kernel, TestServer.options())) {
            Reply reply = Api.on(other.port(), new CatalogueCheck()).withKey(key).get("/metrics");
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            return new Scrape(reply.text());
        }
    }

    private final String key =
            server.kernel().kernel().identity().registerLocal("scraper").key().reveal();

    private static KernelOptions likeThis(KernelOptions options) {
        return options.withSchema(Doors.SCHEMA)
                .withOwners(Doors.OWNERS)
                .withSubjects(Doors.SUBJECTS);
    }

    private static double of(Scrape scrape, String metric) {
        return scrape.value(metric, Map.of());
    }

    private double sum(String where) {
        return Double.parseDouble(
                String.valueOf(
                        (Object)
                                server.database()
                                        .value(
                                                "select coalesce(sum(amount), 0)::text from"
                                                        + " credit_entry where "
                                                        + where)));
    }

    /// as many as there are in the table, whatever became of them, and without those that
    /// were deleted.
    @Test
    void runs_are_counted_by_their_status() {
        mine.create(planned(one("a")));
        assertThat(mine.delete(mine.create(planned(one("a")))).status()).isLessThan(300);
        String done = mine.running(planned(one("b")));
        mine.complete("b");
        assertThat(mine.status(done)).isEqualTo("completed");
        mine.running(planned(one("c")));
        mine.fail("c", "ValueError");
        mine.done(mine.running(planned(one("d"))), "pause");
        mine.done(mine.running(planned(one("e"))), "cancel");
        mine.running(planned(one("f")));

        Scrape scrape = scrape();

        for (String status :
                List.of(
                        "created",
                        "pending",
                        "running",
                        "paused",
                        "resuming",
                        "completed",
                        "failed",
                        "cancelled",
                        "retrying",
                        "skipped")) {
            long stored =
                    server.database()
                            .value(
                                    "select count(*) from run where status = ? and deleted_ms is"
                                            + " null",
                                    status);
            assertThat(scrape.value("runs", Map.of("status", status))).as(status).isEqualTo(stored);
        }
        assertThat(scrape.value("runs", Map.of("status", "created"))).isEqualTo(1);
        assertThat(scrape.family("runs").getMetrics()).hasSize(10);
    }

    /// from the start to the end.
    @Test
    void the_time_of_a_run_is_counted_when_it_ends() {
        mine.running(planned(one("a")));
        server.clock().advance(Duration.ofSeconds(7));
        mine.complete("a");
        mine.running(planned(one("b")));

        Reply text = operator.get("/metrics");

        assertThat(text.text()).contains("run_duration_seconds_count 1\n");
        assertThat(text.text()).contains("run_duration_seconds_bucket{le=\"10.0\"} 1\n");
        assertThat(text.text()).contains("run_duration_seconds_bucket{le=\"5.0\"} 0\n");
    }

    /// errors, triggers and reasons are words of lists, which are shown from
    /// the first scrape on.
    @Test
    void retries_escalations_and_aborts_are_counted_by_what_they_are_for() {
        Scrape before = scrape();
        assertThat(before.family("run_aborts_total").getMetrics()).hasSize(5);
        assertThat(before.family("run_escalations_total").getMetrics()).hasSize(4);
        assertThat(of(before, "run_step_retries_total")).isZero();
        mine.running(planned(one("a")));
        for (int i = 0; i < 3; i++) {
            mine.fail("a", "ConnectionError");
            server.clock().advance(Duration.ofSeconds(2));
        }
        mine.running(planned(one("b")));
        mine.fail("b", "ValueError");

        Scrape scrape = scrape();

        assertThat(scrape.value("run_step_retries_total", Map.of("error", "ConnectionError")))
                .isEqualTo(2);
        assertThat(of(scrape, "run_step_retries_total")).isEqualTo(2);
        assertThat(scrape.value("run_aborts_total", Map.of("reason", "max_attempts"))).isEqualTo(1);
        assertThat(scrape.value("run_aborts_total", Map.of("reason", "non_retryable")))
                .isEqualTo(1);
        assertThat(of(scrape, "run_aborts_total")).isEqualTo(2);
        assertThat(scrape.value("run_escalations_total", Map.of("trigger", "max_attempts")))
                .isEqualTo(1);
        assertThat(of(scrape, "run_escalations_total")).isEqualTo(1);
        // What a worker calls its error is not a label.
        mine.running(planned(one("c")));
        mine.fail("c", "x" + "y".repeat(30));
        assertThat(scrape().family("run_step_retries_total").getMetrics())
                .hasSameSizeAs(before.family("run_step_retries_total").getMetrics());
    }

    ///
    @Test
    void a_plan_that_replaces_another_is_counted_by_its_trigger() {
        String run = mine.running(body(",\"failure_mode\":\"continue\""));
        String first = plan(agent("one", "", step("a", "")), agent("two", "", step("b", "")));
        mine.tasks().verb(mine.claim("run_plan"), "complete", "{\"result\":" + first + "}");
        mine.fail("a", "ValueError");
        assertThat(of(scrape(), "run_replans_total")).isZero();
        mine.fail("b", "ValueError");
        mine.tasks().verb(mine.claim("run_plan"), "complete", "{\"result\":" + one("c") + "}");

        assertThat(mine.get(run).number("/context/replan_count")).isEqualTo(1);
        Scrape scrape = scrape();
        assertThat(scrape.value("run_replans_total", Map.of("trigger", "agents_failed")))
                .isEqualTo(1);
        assertThat(of(scrape, "run_replans_total")).isEqualTo(1);
    }

    /// nobody drives the run any more.
    @Test
    void a_run_that_fails_without_a_heartbeat_is_counted() {
        String run = mine.running(planned(one("a")));
        server.clock().advance(Duration.ofSeconds(71));
        server.kernel().kernel().sweepOnce("run-heartbeat-monitor");

        assertThat(mine.get(run).text("/last_error")).contains("Worker heartbeat timeout");
        Scrape scrape = scrape();
        assertThat(of(scrape, "run_heartbeat_timeouts_total")).isEqualTo(1);
        assertThat(scrape.value("run_aborts_total", Map.of("reason", "timeout"))).isEqualTo(1);
    }

    /// the sums of the ledger, also on a node that wrote none of it.
    @Test
    void credits_are_counted_as_the_ledger_has_them() {
        mine.running(planned(one("a")));
        Reply reply =
                mine.tasks()
                        .verb(
                                mine.claim("a"),
                                "complete",
                                "{\"result\":{},\"usage\":{\"tokens\":12345}}");
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        mine.done(mine.running(planned(one("b"))), "cancel");
        String charge =
                mine.api().get("/api/v1/credits/ledger").at("/items").values().stream()
                        .filter(each -> each.path("transaction_type").asString("").equals("charge"))
                        .map(each -> each.path("id").asString(""))
                        .findFirst()
                        .orElseThrow();
        Reply back =
                operator.post(
                        "/api/v1/admin/billing/reversals",
                        "{\"ledger_entry_id\":\"%s\",\"reason\":\"a mistake\"}".formatted(charge));
        assertThat(back.status()).as(back.text()).isLessThan(300);

        Scrape scrape = scrape();

        assertThat(of(scrape, "credits_reserved_total"))
                .isEqualTo(sum("transaction_type = 'reserve'"))
                .isEqualTo(200);
        assertThat(of(scrape, "credits_charged_total"))
                .isEqualTo(sum("transaction_type = 'charge'"))
                .isEqualTo(12.345);
        assertThat(of(scrape, "credits_refunded_total"))
                .isEqualTo(sum("transaction_type = 'refund'"))
                .isEqualTo(200.0);
    }

    ///
    @Test
    void answers_that_are_given_again_are_counted() {
        Api once = mine.api().with("Idempotency-Key", "one");
        for (int i = 0; i < 3; i++) {
            assertThat(once.post(RUNS, planned(one("a"))).status()).isLessThan(300);
        }
        mine.create(planned(one("a")));

        assertThat(operator.get("/metrics").text()).contains("idempotency_replays_total 2.0\n");
    }

    /// in the words of the contract.
    @Test
    void what_waits_is_counted_by_its_queue() {
        String normal = mine.create(planned(one("a")));
        String high =
                mine.create(
                        body(",\"priority\":\"high\",\"plan\":{\"agents\":[{\"subtask\":\"x\"}]}"));
        mine.done(normal, "start");
        mine.done(high, "start");
        assertThat(queues())
                .containsEntry("runs.normal", 1.0)
                .containsEntry("runs.high_priority", 1.0);
        mine.drive(normal, "running");
        mine.drive(high, "running");
        assertThat(queues())
                .containsEntry("runs.normal", 0.0)
                .containsEntry("runs.high_priority", 0.0)
                .containsEntry("steps", 1.0)
                .containsEntry("agents.work", 1.0)
                .containsEntry("tasks", 0.0);
        mine.claim("a");
        mine.claim("agent_plan");
        assertThat(queues()).containsEntry("steps", 0.0).containsEntry("agents.work", 0.0);
        mine.tasks().create("plain");
        assertThat(queues()).containsEntry("tasks", 1.0);
    }

    private Map<String, Double> queues() {
        var queues = new TreeMap<String, Double>();
        Scrape scrape = scrape();
        scrape.family("work_queue_depth")
                .getMetrics()
                .forEach(
                        each ->
                                queues.put(
                                        each.getLabels().get("queue"),
                                        scrape.value("work_queue_depth", each.getLabels())));
        return queues;
    }

    ///
    @Test
    void an_artifact_whose_bytes_are_removed_is_counted() {
        String run = mine.running(planned(one("a")));
        Reply stored =
                mine.api()
                        .with("Content-Type", "text/plain")
                        .post(RunApi.path(run) + "/artifacts?name=x", "hello");
        assertThat(stored.status()).as(stored.text()).isEqualTo(201);
        mine.complete("a");
        server.clock().advance(Duration.ofDays(29));
        server.kernel().kernel().sweepOnce("artifact-sweeper");
        assertThat(of(scrape(), "artifacts_expired_total")).isZero();
        server.clock().advance(Duration.ofDays(2));
        server.kernel().kernel().sweepOnce("artifact-sweeper");
        server.kernel().kernel().sweepOnce("artifact-sweeper");

        assertThat(of(scrape(), "artifacts_expired_total")).isEqualTo(1);
    }

    /// What a scrape reads are the rows of the totals, and no run adds one that is like another.
    @Test
    void what_a_scrape_reads_does_not_grow_with_the_runs() {
        play();
        scrape();
        long before = totals();
        for (int i = 0; i < 5; i++) {
            play();
        }
        assertThat(of(scrape(), "runs")).isEqualTo(6);
        assertThat(totals()).isEqualTo(before);
    }

    private void play() {
        mine.running(planned(one("a")));
        mine.complete("a");
    }

    /// Each of them has a row for each bucket of the histograms at the most.
    private long totals() {
        return server.database()
                .value(
                        "select count(distinct (queue, kind, event, from_word, to_word)) from"
                                + " event_total");
    }

    /// rows that break an invariant, ledgers that do not fit and stuck runs are found by
    /// themselves.
    @Test
    void what_is_wrong_is_found_and_counted() {
        String run = mine.running(planned(one("a")));
        mine.complete("a");
        mine.running(planned(one("b")));
        patrol();
        String clean = operator.get("/metrics").text();
        assertThat(clean).contains("invariant_violations{invariant=\"1\"} 0.0\n");
        assertThat(clean).contains("invariant_violations{invariant=\"8\"} 0.0\n");
        assertThat(clean).contains("stuck_runs 0.0\n");
        assertThat(clean).contains("ledger_anomalies{kind=\"several_charges\"} 0.0\n");
        broken("run_task", "update run_task set step_count = step_count + 1 where run_id = ?", run);
        broken(
                "credit_entry",
                "delete from credit_entry where transaction_type = 'charge' and run_id = ?",
                run);
        server.clock().advance(Duration.ofMinutes(3));
        patrol();

        String text = operator.get("/metrics").text();

        assertThat(text).contains("invariant_violations{invariant=\"2\"} 1.0\n");
        assertThat(text).contains("stuck_runs 1.0\n");
        assertThat(text).contains("ledger_anomalies{kind=\"charge_missing\"} 1.0\n");
    }

    /// What only somebody with all rights can do.
    private void broken(String table, String sql, String run) {
        server.database().execute("alter table " + table + " disable trigger user");
        server.database().execute(sql, RunApi.uuid(run));
        server.database().execute("alter table " + table + " enable trigger user");
    }

    /// A whole walk and more: each pass is a page of one kind of rows.
    private void patrol() {
        for (int i = 0; i < 16; i++) {
            server.kernel().kernel().sweepOnce("run-patrol");
        }
    }
}
