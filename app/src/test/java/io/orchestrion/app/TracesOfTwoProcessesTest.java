package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.OtlpReceiver;
import io.orchestrion.testkit.OtlpReceiver.Received;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/// One item, handed in at one process and worked on through another, is one trace.
@Timeout(180)
class TracesOfTwoProcessesTest {
    private static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    private static final String CLIENT = "b7ad6b7169203331";

    @TempDir Path oneData;
    @TempDir Path otherData;

    /// J-372, L-035: across processes, because its context is stored with it.
    @Test
    void spans_of_two_processes_are_one_trace() {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var collector = new OtlpReceiver();
                var one = start(database, oneData, collector);
                var other = start(database, otherData, collector)) {
            String id =
                    one.api()
                            .with("traceparent", "00-" + TRACE + "-" + CLIENT + "-01")
                            .post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}")
                            .text("/task/id");
            assertThat(other.api().post("/v1/tasks/claim", "{\"type\":\"t\"}").text("/task/id"))
                    .isEqualTo(id);
            assertThat(
                            other.api()
                                    .post("/v1/tasks/" + id + "/complete", "{\"result\":{}}")
                                    .status())
                    .isEqualTo(200);
            List<String> wanted =
                    List.of(
                            "POST /v1/tasks",
                            "tasks.enqueue",
                            "tasks.queue",
                            "tasks.assign",
                            "tasks.run",
                            "tasks.report");
            Until.isTrue(
                    "all spans have come",
                    Duration.ofSeconds(30),
                    () ->
                            collector.ofTrace(TRACE).stream()
                                    .map(Received::name)
                                    .toList()
                                    .containsAll(wanted));
            List<Received> spans = collector.ofTrace(TRACE);
            Received submit = named(spans, "POST /v1/tasks");
            assertThat(submit.parentId()).isEqualTo(CLIENT);
            assertThat(submit.process()).isEqualTo(one.pid());
            assertThat(named(spans, "tasks.run").process()).isEqualTo(other.pid());
            assertThat(spans)
                    .filteredOn(span -> span != submit)
                    .allMatch(span -> span.parentId().equals(submit.spanId()));
        }
    }

    /// J-372, J-373: a job that a server took and a runner of its own did, and its retry. J-019:
    /// the log of the run has scenario, duration and expected outcome.
    @Test
    void a_job_of_a_server_and_a_runner_is_one_trace() throws InterruptedException {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var collector = new OtlpReceiver();
                var server =
                        ServerProcess.startOn(
                                database.options(),
                                oneData,
                                "--jobs-runners",
                                "0",
                                "--otlp-endpoint",
                                collector.address().toString());
                var runner = runner(database, collector)) {
            runner.awaitSaid("Ready.");
            String id =
                    server.api()
                            .with("traceparent", "00-" + TRACE + "-" + CLIENT + "-01")
                            .post(
                                    "/v1/jobs",
                                    "{\"type\":\"EXECUTE\",\"work_kind\":\"FAIL_IMMEDIATE\"}")
                            .text("/job_id");
            await(
                    collector,
                    "POST /v1/jobs",
                    "jobs.enqueue",
                    "jobs.queue",
                    "jobs.assign",
                    "jobs.execute",
                    "jobs.run",
                    "jobs.report");
            assertThat(server.api().post("/v1/jobs/" + id + "/retry").status()).isEqualTo(200);
            await(collector, "jobs.retry");
            List<Received> spans = collector.ofTrace(TRACE);
            Received submit = named(spans, "POST /v1/jobs");
            assertThat(submit.process()).isEqualTo(server.pid());
            for (String name :
                    List.of(
                            "jobs.queue",
                            "jobs.assign",
                            "jobs.execute",
                            "jobs.run",
                            "jobs.report")) {
                assertThat(named(spans, name).process()).as(name).isEqualTo(runner.pid());
            }
            assertThat(named(spans, "jobs.retry").process()).isEqualTo(server.pid());
            assertThat(named(spans, "jobs.run").failed()).isTrue();
            assertThat(spans)
                    .filteredOn(span -> span != submit)
                    .allMatch(span -> span.parentId().equals(submit.spanId()));
            assertThat(runner.said())
                    .contains("scenario=\"FAIL_IMMEDIATE\"", "expected_outcome=", "duration_ms=");
        }
    }

    private static void await(OtlpReceiver collector, String... names) {
        Until.isTrue(
                "all spans have come: " + List.of(names),
                Duration.ofSeconds(30),
                () ->
                        collector.ofTrace(TRACE).stream()
                                .map(Received::name)
                                .toList()
                                .containsAll(List.of(names)));
    }

    private WorkerProcess runner(TestDatabase database, OtlpReceiver collector) {
        return WorkerProcess.start(
                "runner",
                Map.of("ORCHESTRION_DATABASE_PASSWORD", database.options().password()),
                List.of(),
                "--database-url",
                database.options().jdbcUrl(),
                "--database-user",
                database.options().user(),
                "--data",
                otherData.toString(),
                "--jobs-time-scale",
                "0.001",
                "--otlp-endpoint",
                collector.address().toString());
    }

    private static Received named(List<Received> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).findFirst().orElseThrow();
    }

    private static ServerProcess start(TestDatabase database, Path data, OtlpReceiver collector) {
        return ServerProcess.startOn(
                database.options(), data, "--otlp-endpoint", collector.address().toString());
    }
}
