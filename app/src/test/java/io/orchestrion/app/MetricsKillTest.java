package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Scrape;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/// What is counted in storage outlives the server that did it.
@Timeout(180)
class MetricsKillTest {
    @TempDir Path oneData;
    @TempDir Path otherData;

    /// J-361, J-354, J-395: a kill -9 under load, before anybody has read the metrics and between
    /// two readings; another server shows what the table holds, and no more.
    @Test
    void after_a_kill_the_metrics_are_what_is_stored() {
        try (TestDatabase database = TestPostgres.get().newDatabase()) {
            try (var doomed = ServerProcess.startOn(database.options(), oneData)) {
                loadUntilKilled(doomed);
            }
            try (var other = ServerProcess.startOn(database.options(), otherData)) {
                Scrape scrape = scrape(other.api());
                check(database, scrape);
                assertThat(scrape.value("jobs_submitted_total", "tasks")).isPositive();
                finishOne(other.api());
                other.kill();
            }
            try (var third = ServerProcess.startOn(database.options(), oneData)) {
                check(database, scrape(third.api()));
            }
        }
    }

    private static void loadUntilKilled(ServerProcess doomed) {
        Api api = doomed.api();
        var done = new AtomicInteger();
        try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 8; i++) {
                writers.submit(
                        () -> {
                            try {
                                while (true) {
                                    finishOne(api);
                                    if (done.incrementAndGet() == 100) {
                                        scrape(api);
                                    } else if (done.get() == 200) {
                                        doomed.kill();
                                    }
                                }
                            } catch (Api.Unanswered e) {
                                // Dead, as it should be.
                                return;
                            }
                        });
            }
        }
    }

    private static void finishOne(Api api) {
        String id = api.post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}").text("/task/id");
        api.post("/v1/tasks/" + id + "/claim");
        if (id.hashCode() % 3 == 0) {
            api.post("/v1/tasks/" + id + "/fail", "{\"reason\":\"no\"}");
        } else if (id.hashCode() % 3 == 1) {
            api.post("/v1/tasks/" + id + "/complete", "{\"result\":{}}");
        }
    }

    private static Scrape scrape(Api api) {
        Reply reply = api.get("/metrics");
        assertThat(reply.status()).isEqualTo(200);
        return new Scrape(reply.text());
    }

    private static void check(TestDatabase database, Scrape scrape) {
        Map<String, String> counts =
                Map.of(
                        "jobs_submitted_total", "true",
                        "jobs_succeeded_total", "state = 'succeeded'",
                        "jobs_failed_total", "state in ('failed', 'dead')",
                        "jobs_canceled_total", "state = 'cancelled'",
                        "job_queue_depth", "state in ('ready', 'waiting')");
        counts.forEach(
                (metric, condition) ->
                        assertThat(scrape.value(metric, "tasks"))
                                .as(metric)
                                .isEqualTo(
                                        count(
                                                database,
                                                "work where queue = 'tasks' and " + condition)));
        assertThat(scrape.value("jobs_running_total", "tasks"))
                .isEqualTo(count(database, "work_event where to_state = 'running'"));
        assertThat(scrape.value("job_queue_wait_seconds", "tasks"))
                .isEqualTo(count(database, "work_event where event = 'lease'"));
        assertThat(scrape.value("job_execution_seconds", "tasks"))
                .isEqualTo(count(database, "work_event where event = 'complete'"));
    }

    private static double count(TestDatabase database, String of) {
        return database.<Long>value("select count(*) from " + of).doubleValue();
    }
}
