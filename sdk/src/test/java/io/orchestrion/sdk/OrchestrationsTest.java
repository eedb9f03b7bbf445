package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.sdk.ScriptedServer.Asked;
import io.orchestrion.sdk.ScriptedServer.Told;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;

/// What the client of `/v1/orchestrations` sends, what of it it sends again, and how it reads
/// answers.
@Timeout(180)
class OrchestrationsTest {
    private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");
    private static final String AT = "2030-01-01T00:00:00.000Z";

    private static String execution(String status) {
        return """
        {"execution_id":"%1$s","tenant_id":"%1$s","definition_id":"%1$s","definition_version":2,
         "status":"%2$s","target_object_type":"order","target_object_id":"7","input":{"n":1},
         "output":null,"error":null,"correlation_id":"c","idempotency_key":"k","attempt_count":1,
         "compensated":false,"reviewed":false,"started_at":"%3$s","completed_at":null,
         "blocked_on":[{"on":"timer","id":"%1$s","step_id":"a","until":"%3$s"}],
         "steps":[%4$s],"steps_next_cursor":null}
        """
                .formatted(ID, status, AT, step("failed"));
    }

    private static String step(String status) {
        return """
        {"step_execution_id":"%1$s","execution_id":"%1$s","step_id":"a","name":"A",
         "step_type":"task","kind":"step","attempt_number":3,"status":"%2$s",
         "error_class":"TRANSIENT","error_code":"unavailable","error_summary":"away",
         "retry_after_at":"%3$s","started_at":null,"finished_at":null,"result":null}
        """
                .formatted(ID, status, AT);
    }

    private static String definition(String status) {
        return """
        {"orchestration_definition_id":"%s","version":2,"status":"%s","name":"n",
         "findings":[{"severity":"warning","level":"publish","pointer":"/steps/0","code":"c",
         "message":"M.","hint":"H."}]}
        """
                .formatted(ID, status);
    }

    private static String approval() {
        return """
        {"approval_id":"%1$s","execution_id":"%1$s","step_id":"a","step_execution_id":"%1$s",
         "kind":"compensation","status":"approved","title":"T","expires_at":null,"input":{}}
        """
                .formatted(ID);
    }

    private static String letter(String status) {
        return """
        {"dlq_id":"%1$s","execution_id":"%1$s","step_id":"a","reason":"timed_out","status":"%2$s",
         "error_class":"TRANSIENT","actions":["reprocess"]}
        """
                .formatted(ID, status);
    }

    private static String error(String code) {
        return "{\"error\":\"%s\",\"message\":\"M.\",\"request_id\":\"r\"}".formatted(code);
    }

    private static void with(Function<Asked, Told> script, WithClient test) {
        try (var server = new ScriptedServer(script);
                var client = server.client("orch_live_x")) {
            test.run(server, client.orchestrations());
        }
    }

    private interface WithClient {
        void run(ScriptedServer server, Orchestrations orchestrations);
    }

    /// Hangs up on the first request of each kind, and answers the next one.
    private static Function<Asked, Told> answeringLate(String answer) {
        Set<String> before = ConcurrentHashMap.newKeySet();
        return asked ->
                before.add(asked.method() + asked.path()) ? Told.nothing() : Told.of(200, answer);
    }

    @Test
    void a_start_says_what_was_asked_and_is_repeated_under_its_key() {
        with(
                answeringLate(execution("running")),
                (server, orchestrations) -> {
                    Execution started =
                            orchestrations.start(
                                    NewExecution.of(ID)
                                            .ofVersion(2)
                                            .forTarget("order", "7")
                                            .withInput("{\"n\":1.50}")
                                            .withCorrelationId("c")
                                            .withKey("k"));
                    assertThat(server.asked).hasSize(2);
                    for (Asked asked : server.asked) {
                        assertThat(asked.path()).isEqualTo("/v1/orchestrations/executions");
                        assertThat(asked.head().apply("Idempotency-Key")).isEqualTo("k");
                        assertThat(asked.body().toString())
                                .isEqualTo(
                                        "{\"definition_id\":\""
                                                + ID
                                                + "\",\"definition_version\":2,"
                                                + "\"target_object_type\":\"order\","
                                                + "\"target_object_id\":\"7\","
                                                + "\"input\":{\"n\":1.50},"
                                                + "\"correlation_id\":\"c\"}");
                    }
                    assertThat(started.status()).isEqualTo(ExecutionStatus.RUNNING);
                    assertThat(started.startedAt()).isEqualTo(Instant.parse(AT));
                    assertThat(started.completedAt()).isNull();
                    assertThat(started.blockedOn())
                            .containsExactly(
                                    new Execution.Blocked("timer", ID, "a", Instant.parse(AT)));
                    StepExecution step = started.steps().getFirst();
                    assertThat(step.status()).isEqualTo(StepStatus.FAILED);
                    assertThat(step.attemptNumber()).isEqualTo(3);
                    assertThat(step.errorClass()).isEqualTo("TRANSIENT");
                    assertThat(step.retryAfterAt()).isEqualTo(Instant.parse(AT));
                });
    }

    @Test
    void what_changes_nothing_the_second_time_is_sent_again_after_a_lost_answer() {
        List<Consumer<Orchestrations>> orders =
                List.of(
                        all -> all.pause(ID, "r"),
                        all -> all.resume(ID, null),
                        all -> all.cancel(ID, null),
                        all -> all.get(ID));
        for (Consumer<Orchestrations> order : orders) {
            with(
                    answeringLate(execution("paused")),
                    (server, orchestrations) -> {
                        order.accept(orchestrations);
                        assertThat(server.asked).hasSize(2);
                    });
        }
        with(
                answeringLate(approval()),
                (server, orchestrations) -> {
                    Approval said = orchestrations.approvals().approve(ID, "yes");
                    assertThat(said.kind()).isEqualTo(StepKind.COMPENSATION);
                    orchestrations.approvals().reject(ID, "a", null);
                    assertThat(server.paths().getLast())
                            .isEqualTo(
                                    "POST /v1/orchestrations/executions/" + ID + "/steps/a/reject");
                    assertThat(server.asked).hasSize(4);
                });
    }

    @Test
    void what_would_be_done_twice_is_sent_once() {
        List<Consumer<Orchestrations>> orders =
                List.of(
                        all -> all.retry(ID, "r", false),
                        all -> all.retryStep(ID, "a", "r", true),
                        all -> all.definitions().create("{}"),
                        all -> all.definitions().addVersion(ID, null),
                        all -> all.deadLetters().reprocess(ID, "r", false),
                        all -> all.deadLetters().reprocess(List.of(ID), "r", true),
                        all -> all.reviews().compensate(ID, "n"));
        for (Consumer<Orchestrations> order : orders) {
            with(
                    _ -> Told.nothing(),
                    (server, orchestrations) -> {
                        var lost =
                                catchThrowableOfType(
                                        OrchestrionException.class,
                                        () -> order.accept(orchestrations));
                        assertThat(lost.code()).isEqualTo(OrchestrionException.NO_ANSWER);
                        assertThat(server.asked).hasSize(1);
                    });
        }
    }

    /// The first publish arrived, and its answer did not: the refusal of the second is no news.
    @Test
    void a_publish_that_had_arrived_is_told_as_done() {
        Set<String> before = ConcurrentHashMap.newKeySet();
        with(
                asked ->
                        asked.method().equals("GET")
                                ? Told.of(200, definition("published"))
                                : before.add(asked.path())
                                        ? Told.nothing()
                                        : Told.of(409, error("invalid_transition")),
                (_, orchestrations) -> {
                    DefinitionVersion now = orchestrations.definitions().publish(ID, 2);
                    assertThat(now.status()).isEqualTo("published");
                    var refused =
                            catchThrowableOfType(
                                    OrchestrionException.class,
                                    () -> orchestrations.definitions().deprecate(ID, 2));
                    assertThat(refused.code()).isEqualTo("invalid_transition");
                });
    }

    @Test
    void a_dead_letter_that_was_closed_by_a_try_without_an_answer_is_told_as_closed() {
        Set<String> before = ConcurrentHashMap.newKeySet();
        with(
                asked ->
                        asked.method().equals("GET")
                                ? Told.of(200, letter("resolved"))
                                : before.add(asked.path())
                                        ? Told.nothing()
                                        : Told.of(409, error("invalid_transition")),
                (_, orchestrations) -> {
                    DeadLetter closed = orchestrations.deadLetters().resolve(ID, "n");
                    assertThat(closed.status()).isEqualTo("resolved");
                    assertThat(closed.actions()).containsExactly("reprocess");
                });
    }

    @Test
    void findings_are_read_with_where_they_are_and_what_to_do() {
        with(
                _ -> Told.of(201, definition("draft")),
                (_, orchestrations) -> {
                    DefinitionVersion made = orchestrations.definitions().create("{}");
                    assertThat(made.findings())
                            .containsExactly(
                                    new Finding("warning", "publish", "/steps/0", "c", "M.", "H."));
                    assertThat(made.findings().getFirst().isError()).isFalse();
                });
    }

    @Test
    void lists_are_asked_for_with_all_filters() {
        with(
                _ -> Told.of(200, "{\"items\":[],\"next_cursor\":\"c2\"}"),
                (server, all) -> {
                    Page<Execution> page =
                            all.list(
                                    ExecutionQuery.ALL
                                            .withStatus(ExecutionStatus.WAITING_APPROVAL)
                                            .ofDefinition(ID)
                                            .forTarget("order", "a b")
                                            .withCorrelationId("c")
                                            .withLimit(3)
                                            .after("x"));
                    assertThat(page.nextCursor()).isEqualTo("c2");
                    all.deadLetters()
                            .list(
                                    DeadLetterQuery.ALL
                                            .withStatus("open")
                                            .withReason("timed_out")
                                            .ofDefinition(ID)
                                            .ofExecution(ID)
                                            .between(Instant.parse(AT), Instant.parse(AT)));
                    all.approvals()
                            .list(
                                    ApprovalQuery.PENDING
                                            .withKind(StepKind.STEP)
                                            .forGroup("g")
                                            .ofExecution(ID));
                    all.reviews().list("dlq", 5, null);
                    all.steps(ID, "a", StepStatus.TIMED_OUT, null, null);
                    String base = "GET /v1/orchestrations/";
                    assertThat(server.paths())
                            .containsExactly(
                                    base
                                            + "executions?status=waiting_approval&definition_id="
                                            + ID
                                            + "&target_object_type=order&target_object_id=a%20b"
                                            + "&correlation_id=c&limit=3&cursor=x",
                                    base
                                            + "dlq?status=open&reason=timed_out&definition_id="
                                            + ID
                                            + "&execution_id="
                                            + ID
                                            + "&from=2030-01-01T00%3A00%3A00Z"
                                            + "&to=2030-01-01T00%3A00%3A00Z",
                                    base
                                            + "approvals?status=pending&kind=step&assignee_group=g"
                                            + "&execution_id="
                                            + ID,
                                    base + "review?limit=5&kind=dlq",
                                    base
                                            + "executions/"
                                            + ID
                                            + "/steps?step_id=a&status=timed_out");
                });
    }

    @Test
    void an_execution_is_awaited_until_it_has_ended() {
        var looks = new AtomicInteger();
        with(
                _ -> Told.of(200, execution(looks.incrementAndGet() < 3 ? "running" : "succeeded")),
                (_, all) ->
                        assertThat(all.await(ID, Duration.ofMinutes(1)).orElseThrow().status())
                                .isEqualTo(ExecutionStatus.SUCCEEDED));
        assertThat(looks).hasValue(3);
    }

    /// E-235.
    @Test
    void the_payload_of_a_step_is_read_and_that_of_a_plain_task_is_not() throws Exception {
        String envelope =
                """
                {"tenant_id":"%1$s","execution_id":"%1$s","step_id":"charge",
                 "step_execution_id":"%1$s","kind":"guard","attempt_number":2,
                 "idempotency_key":"ab12","correlation_id":"c","timeout_ms":30000,
                 "deadline_at":"%2$s","input":{"cents":12}}
                """
                        .formatted(ID, AT);
        StepAttempt step = StepAttempt.of(task(envelope));
        assertThat(step.kind()).isEqualTo(StepKind.GUARD);
        assertThat(step.stepId()).isEqualTo("charge");
        assertThat(step.attemptNumber()).isEqualTo(2);
        assertThat(step.idempotencyKey()).isEqualTo("ab12");
        assertThat(step.timeout()).isEqualTo(Duration.ofSeconds(30));
        assertThat(step.deadlineAt()).isEqualTo(Instant.parse(AT));
        assertThat(step.tenantId()).isEqualTo(ID);
        assertThat(step.input().path("cents").asInt()).isEqualTo(12);
        var failure =
                catchThrowableOfType(
                        TaskFailure.class, () -> StepAttempt.claimed(task("{\"n\":1}")));
        assertThat(failure.report().error().code()).isEqualTo("invalid");
        assertThat(failure).hasMessageContaining("is no step of an orchestration");
    }

    /// E-156, E-157.
    @Test
    void a_guard_answers_in_the_form_of_the_engine() {
        assertThat(StepAttempt.completed("{\"receipt\":17}"))
                .isEqualTo("{\"completed\":true,\"result\":{\"receipt\":17}}");
        assertThat(StepAttempt.completed(null)).isEqualTo("{\"completed\":true}");
        assertThat(StepAttempt.notCompleted()).isEqualTo("{\"completed\":false}");
    }

    private static Task task(String payload) {
        return Wire.task(
                Json.tree(
                        """
                        {"task":{"id":"%1$s","type":"t","status":"claimed","priority":0,
                         "attemptCount":1,"maxAttempts":1,"leaseDurationSeconds":60,
                         "createdAt":"%2$s","updatedAt":"%2$s","payload":%3$s}}
                        """
                                .formatted(ID, AT, payload)));
    }
}
