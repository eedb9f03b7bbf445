package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.EXECUTIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.body;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;

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

/// What a collector gets of an execution, from the request that started it to its end.
@Timeout(180)
class OrchestrationTracesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String CLIENTS_SPAN = "00f067aa0ba902b7";

    private static final OtlpReceiver COLLECTOR = new OtlpReceiver();
    private static Observer observer;
    private static TestServer server;
    private final OrchestrationApi mine = OrchestrationApi.on(server);

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

    private static String trace(int number) {
        return "5bf92f3577b34da6a3ce929d0e0e47%02x".formatted(number);
    }

    private static String traceparent(String trace) {
        return "00-" + trace + "-" + CLIENTS_SPAN + "-01";
    }

    private String startedWithin(String trace, String definition) {
        Reply made =
                mine.api()
                        .with("traceparent", traceparent(trace))
                        .post(EXECUTIONS, body(definition, ",\"correlation_id\":\"basket-7\""));
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        return made.text("/execution_id");
    }

    private static List<Received> await(String trace, String... names) {
        Until.isTrue(
                "spans " + List.of(names),
                PATIENCE,
                () ->
                        COLLECTOR.ofTrace(trace).stream()
                                .map(Received::name)
                                .toList()
                                .containsAll(List.of(names)));
        return COLLECTOR.ofTrace(trace);
    }

    private static List<Received> named(List<Received> spans, String name) {
        return spans.stream().filter(span -> span.name().equals(name)).toList();
    }

    private static long millis(Received span) {
        return (span.endNanos() - span.startNanos()) / 1_000_000;
    }

    /// One trace: the request, both steps with the items that workers were given, what a worker in
    /// another process sends, and the end.
    @Test
    void a_clients_trace_goes_on_through_all_steps_to_the_end_of_the_execution() {
        String definition =
                mine.published(document(task("a", ",\"on_success\":\"b\""), task("b", "")));
        String execution = startedWithin(trace(1), definition);
        for (String type : List.of("do_a", "do_b")) {
            Reply given = mine.tasks().claim(type);
            String inEnvelope = given.text("/task/payload/traceparent");
            assertThat(inEnvelope).startsWith("00-" + trace(1)).endsWith("-01");
            server.clock().advance(Duration.ofSeconds(3));
            // The worker knows the trace from what it was given.
            Api worker = mine.api().with("traceparent", inEnvelope);
            var reporting = new TaskApi(worker, mine.tasks().key(), mine.tasks().accountId());
            Reply done = reporting.verb(given.text("/task/id"), "complete", "{\"result\":{}}");
            assertThat(done.status()).as(done.text()).isEqualTo(200);
        }
        assertThat(mine.status(execution)).isEqualTo("succeeded");
        List<Received> spans =
                await(
                        trace(1),
                        "POST /v1/orchestrations/executions",
                        "execution.started",
                        "steps.enqueue",
                        "steps.assign",
                        "steps.run",
                        "steps.report",
                        "execution_step.succeeded",
                        "POST /v1/tasks/{id}/complete",
                        "execution.succeeded");
        Until.isTrue(
                "the second step",
                PATIENCE,
                () ->
                        named(COLLECTOR.ofTrace(trace(1)), "POST /v1/tasks/{id}/complete").size()
                                == 2);
        spans = COLLECTOR.ofTrace(trace(1));
        Received create = named(spans, "POST /v1/orchestrations/executions").getFirst();
        assertThat(create.parentId()).isEqualTo(CLIENTS_SPAN);
        assertThat(create.attributes()).containsEntry("orchestrion.execution_id", execution);
        assertThat(spans)
                .filteredOn(span -> span != create)
                .allMatch(span -> span.parentId().equals(create.spanId()));
        assertThat(spans)
                .filteredOn(span -> !span.name().startsWith("POST /v1/tasks"))
                .allMatch(
                        span ->
                                execution.equals(
                                        span.attributes().get("orchestrion.execution_id")));
        List<Received> attempts = named(spans, "execution_step.succeeded");
        assertThat(attempts)
                .extracting(span -> span.attributes().get("orchestrion.step_id"))
                .containsExactlyInAnyOrder("a", "b");
        assertThat(attempts)
                .allMatch(span -> span.attributes().containsKey("orchestrion.step_execution_id"))
                .allMatch(span -> "1".equals(span.attributes().get("orchestrion.attempt_number")))
                .allMatch(span -> millis(span) >= 2_900);
        Received end = named(spans, "execution.succeeded").getFirst();
        assertThat(end.failed()).isFalse();
        assertThat(end.attributes()).containsEntry("orchestrion.correlation_id", "basket-7");
        assertThat(millis(end)).isGreaterThanOrEqualTo(5_900);
    }

    /// What failed says so, and the next attempt is in the same trace. No span has a secret.
    @Test
    void each_attempt_is_in_the_trace_and_the_end_says_why() {
        String secret = "hunter2hunter2";
        startedWithin(trace(2), mine.published(document(task("c", ""))));
        for (int i = 0; i < 2; i++) {
            mine.tasks()
                    .verb(
                            mine.claimed("do_c"),
                            "fail",
                            "{\"reason\":\"password=%s\",\"error\":{\"code\":\"connect_failed\",\"message\":\"password=%s\"}}"
                                    .formatted(secret, secret));
        }
        List<Received> spans = await(trace(2), "execution.failed", "execution_step.failed");
        Until.isTrue(
                "both attempts",
                PATIENCE,
                () -> named(COLLECTOR.ofTrace(trace(2)), "execution_step.failed").size() == 2);
        assertThat(named(spans, "execution.failed").getFirst().failed()).isTrue();
        List<Received> attempts = named(COLLECTOR.ofTrace(trace(2)), "execution_step.failed");
        assertThat(attempts).allMatch(Received::failed);
        assertThat(attempts)
                .extracting(span -> span.attributes().get("orchestrion.attempt_number"))
                .containsExactlyInAnyOrder("1", "2");
        assertThat(COLLECTOR.spans()).noneMatch(span -> span.toString().contains(secret));
    }

    /// Steps that nobody is given are in it as well.
    @Test
    void steps_without_a_worker_are_in_the_trace() {
        String execution =
                startedWithin(
                        trace(3), mine.published(document(step("ask", "human_approval", ""))));
        Reply approved = mine.api().post(EXECUTIONS + "/" + execution + "/steps/ask/approve");
        assertThat(approved.status()).as(approved.text()).isEqualTo(200);
        List<Received> spans =
                await(
                        trace(3),
                        "execution.waiting_approval",
                        "execution_step.succeeded",
                        "execution.succeeded");
        assertThat(named(spans, "execution_step.succeeded").getFirst().attributes())
                .containsEntry("orchestrion.step_id", "ask");
    }
}
