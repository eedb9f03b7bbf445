package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.RUNS;
import static io.orchestrion.server.runs.RunApi.agent;
import static io.orchestrion.server.runs.RunApi.plan;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunApi.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.observe.ObserveOptions;
import io.orchestrion.server.observe.Observer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.OtlpReceiver;
import io.orchestrion.testkit.OtlpReceiver.Received;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;

/// What a collector gets of a run, from the request that made it to its end.
@Timeout(180)
class RunTracesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String TRACE = "6bf92f3577b34da6a3ce929d0e0e4701";
    private static final String CLIENTS_SPAN = "00f067aa0ba902b7";

    private static final OtlpReceiver COLLECTOR = new OtlpReceiver();
    private static Observer observer;
    private static TestServer server;
    private final RunApi mine = RunApi.on(server);

    @BeforeAll
    static void start() {
        observer =
                new Observer(
                        new ObserveOptions(ObserveOptions.Detail.NONE, COLLECTOR.address(), 100),
                        "test",
                        Doors.ALL);
        server = new TestServer(options -> options.withSignals(observer));
    }

    @AfterAll
    static void close() {
        server.close();
        observer.close();
        COLLECTOR.close();
    }

    private static List<Received> named(String name) {
        return COLLECTOR.ofTrace(TRACE).stream().filter(each -> each.name().equals(name)).toList();
    }

    /// One trace: the request, the driver, both steps with what a worker in another process sends,
    /// and the end of each level.
    @Test
    void a_clients_trace_goes_on_through_all_steps_to_the_end_of_the_run() {
        Reply made =
                mine.api()
                        .with("traceparent", "00-" + TRACE + "-" + CLIENTS_SPAN + "-01")
                        .post(RUNS, planned(plan(agent("all", "", step("a", ""), step("b", "")))));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String run = made.text("/id");
        mine.done(run, "start");
        mine.drive(run, "running");
        for (String tool : List.of("a", "b")) {
            Reply given = mine.tasks().claim(tool);
            String inEnvelope = given.text("/task/payload/traceparent");
            assertThat(inEnvelope).startsWith("00-" + TRACE).endsWith("-01");
            server.clock().advance(Duration.ofSeconds(3));
            Api worker = mine.api().with("traceparent", inEnvelope);
            var reporting = new TaskApi(worker, mine.tasks().key(), mine.tasks().accountId());
            Reply done = reporting.verb(given.text("/task/id"), "complete", "{\"result\":{}}");
            assertThat(done.status()).as(done.text()).isEqualTo(200);
        }
        assertThat(mine.status(run)).isEqualTo("completed");

        for (String name :
                List.of(
                        "POST /api/v1/runs",
                        "run.created",
                        "run.pending",
                        "run.running",
                        "drivers.enqueue",
                        "steps.run",
                        "run_task.completed",
                        "run_agent.completed",
                        "run.completed")) {
            Until.isTrue("span " + name, PATIENCE, () -> !named(name).isEmpty());
        }
        for (String name : List.of("run_step.completed", "POST /v1/tasks/{id}/complete")) {
            Until.isTrue("both spans " + name, PATIENCE, () -> named(name).size() == 2);
        }
        Received create = named("POST /api/v1/runs").getFirst();
        assertThat(create.parentId()).isEqualTo(CLIENTS_SPAN);
        assertThat(create.attributes()).containsEntry("orchestrion.run_id", run);
        List<Received> spans = COLLECTOR.ofTrace(TRACE);
        assertThat(spans)
                .filteredOn(span -> span != create)
                .filteredOn(span -> !span.name().equals("run-drivers"))
                .allMatch(span -> span.parentId().equals(create.spanId()));
        assertThat(spans)
                .filteredOn(span -> !span.name().startsWith("POST /v1/tasks"))
                .filteredOn(span -> !span.name().equals("run-drivers"))
                .allMatch(span -> run.equals(span.attributes().get("orchestrion.run_id")));
        assertThat(named("run_step.completed"))
                .allMatch(span -> span.attributes().containsKey("orchestrion.step_id"))
                .allMatch(span -> millis(span) >= 2_900);
        assertThat(millis(named("run.completed").getFirst())).isGreaterThanOrEqualTo(5_900);
    }

    private static long millis(Received span) {
        return (span.endNanos() - span.startNanos()) / 1_000_000;
    }
}
