package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.orchestrion.sdk.DefinitionVersion;
import io.orchestrion.sdk.Execution;
import io.orchestrion.sdk.ExecutionQuery;
import io.orchestrion.sdk.ExecutionStatus;
import io.orchestrion.sdk.ExecutionTransition;
import io.orchestrion.sdk.Finding;
import io.orchestrion.sdk.NewExecution;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.Orchestrations;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.OrchestrionException;
import io.orchestrion.sdk.StepAttempt;
import io.orchestrion.sdk.StepExecution;
import io.orchestrion.sdk.StepHandler;
import io.orchestrion.sdk.StepStatus;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskFailure;
import io.orchestrion.sdk.TaskStatus;
import io.orchestrion.sdk.Validation;
import io.orchestrion.sdk.Worker;
import io.orchestrion.sdk.definition.Definition;
import io.orchestrion.sdk.definition.Handler;
import io.orchestrion.sdk.definition.Step;
import io.orchestrion.sdk.definition.StepRetry;
import io.orchestrion.sdk.definition.Value;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CopyOnWriteArrayList;

/// The client of `/v1/orchestrations` and a worker on steps, against a whole server.
@Timeout(180)
class OrchestrationSdkTest {
    private static final Duration LONG = Duration.ofSeconds(60);
    private static ClientServer server;
    private OrchestrionClient client;
    private Orchestrations all;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = server.client();
        all = client.orchestrations();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private static Definition.Builder definition() {
        return Definition.named("n").retry(StepRetry.fixed(3, Duration.ZERO));
    }

    private static <S extends Step<S>> S usual(S step) {
        return step.timeout(Duration.ofMinutes(10)).safeToRetry();
    }

    private UUID published(Definition definition) {
        DefinitionVersion draft = all.definitions().create(definition.json());
        assertThat(draft.findings()).filteredOn(Finding::isError).isEmpty();
        return all.definitions().publish(draft.id(), draft.version()).id();
    }

    private Worker works(StepHandler handler, String... types) {
        return Worker.builder(client)
                .types(List.of(types))
                .workerId("w")
                .longPoll(Duration.ofSeconds(2))
                .steps(handler)
                .start();
    }

    private Execution ended(Execution started) {
        return all.await(started.id(), LONG).orElseThrow();
    }

    /// E-030, E-143, E-235, E-052.
    @Test
    void a_worker_does_the_steps_of_an_execution_and_its_results_are_handed_on() {
        var seen = new CopyOnWriteArrayList<StepAttempt>();
        UUID id =
                published(
                        definition()
                                .step(
                                        usual(Step.task("count", "count"))
                                                .input(
                                                        Value.object()
                                                                .with("text", Value.input("text")))
                                                .onSuccess("double"))
                                .step(
                                        usual(Step.task("double", "double"))
                                                .input(Value.result("count", "length")))
                                .output(
                                        Value.object()
                                                .with("twice", Value.result("double", "value")))
                                .build());
        try (Worker worker =
                works(
                        (step, _) -> {
                            seen.add(step);
                            return step.stepId().equals("count")
                                    ? "{\"length\":"
                                            + step.input().path("text").asString().length()
                                            + "}"
                                    : "{\"value\":" + 2 * step.input().asInt() + "}";
                        },
                        "count",
                        "double")) {
            Execution done =
                    ended(
                            all.start(
                                    NewExecution.of(id)
                                            .forTarget("text", "1")
                                            .withInput("{\"text\":\"abcd\"}")
                                            .withCorrelationId("mine")));
            assertThat(done.status()).isEqualTo(ExecutionStatus.SUCCEEDED);
            assertThat(done.output()).hasToString("{\"twice\":8}");
            assertThat(done.completedAt()).isNotNull();
            assertThat(done.blockedOn()).isEmpty();
            assertThat(seen).extracting(StepAttempt::stepId).containsExactly("count", "double");
            assertThat(seen).extracting(StepAttempt::correlationId).containsOnly("mine");
            for (int i = 0; i < 2; i++) {
                StepExecution step = done.steps().get(i);
                assertThat(step.id()).isEqualTo(seen.get(i).stepExecutionId());
                assertThat(step.status()).isEqualTo(StepStatus.SUCCEEDED);
                assertThat(step.json().path("idempotency_key").asString())
                        .isEqualTo(seen.get(i).idempotencyKey());
            }
            assertThat(all.transitions(done.id(), null, null).items())
                    .extracting(ExecutionTransition::to)
                    .containsExactly("running", "succeeded");
            worker.stop();
        }
    }

    /// E-156: the handler is not called again.
    @Test
    void a_guard_of_a_worker_answers_whether_the_last_attempt_got_through() {
        var seen = new CopyOnWriteArrayList<String>();
        UUID id =
                published(
                        definition()
                                .step(
                                        Step.task("charge", "charge")
                                                .timeout(Duration.ofMinutes(10))
                                                .safeToRetryWithGuard(Handler.task("charged")))
                                .build());
        try (Worker worker =
                works(
                        (step, _) -> {
                            seen.add(step.kind().word());
                            return switch (step.kind()) {
                                case STEP -> throw TaskFailure.unavailable("the line went dead");
                                case GUARD -> StepAttempt.completed("{\"receipt\":17}");
                                case COMPENSATION, UNKNOWN -> throw new AssertionError();
                            };
                        },
                        "charge",
                        "charged")) {
            Execution done = ended(all.start(NewExecution.of(id)));
            assertThat(done.status()).isEqualTo(ExecutionStatus.SUCCEEDED);
            assertThat(done.output()).hasToString("{\"receipt\":17}");
            assertThat(seen).containsExactly("step", "guard");
            worker.stop();
        }
    }

    /// E-097, E-101, E-106.
    @Test
    void what_a_handler_throws_decides_what_follows() {
        record Case(TaskFailure thrown, String expected) {}
        List<Case> cases =
                List.of(
                        new Case(TaskFailure.invalid("no"), "NON_RETRYABLE"),
                        new Case(TaskFailure.of("whatever", "no"), "NON_RETRYABLE"),
                        new Case(
                                TaskFailure.of("optimistic_lock_conflict", 409, "no"), "RETRYABLE"),
                        new Case(TaskFailure.unavailable("no"), "TRANSIENT"),
                        new Case(TaskFailure.dependencyFailed("no"), "DEPENDENCY_FAILED"),
                        new Case(TaskFailure.rateLimited(Duration.ZERO), "RATE_LIMITED"),
                        new Case(TaskFailure.partialSideEffect("no"), "COMPENSATION_REQUIRED"));
        UUID id =
                published(
                        definition()
                                .step(usual(Step.task("a", "thrower")).retry(StepRetry.never()))
                                .build());
        try (Worker worker =
                works(
                        (step, _) -> {
                            throw cases.get(step.input().asInt()).thrown();
                        },
                        "thrower")) {
            for (int i = 0; i < cases.size(); i++) {
                Case each = cases.get(i);
                Execution failed =
                        ended(all.start(NewExecution.of(id).withInput(String.valueOf(i))));
                assertThat(failed.status()).isEqualTo(ExecutionStatus.FAILED);
                StepExecution step = failed.steps().getFirst();
                assertThat(step.errorClass()).isEqualTo(each.expected());
                assertThat(step.errorCode())
                        .isEqualTo(Objects.requireNonNull(each.thrown().report().error()).code());
            }
            worker.stop();
        }
    }

    @Test
    void a_worker_on_steps_fails_a_plain_task_of_its_type() {
        Task task = client.create(NewTask.ofType("mixed").maxAttempts(1).build());
        try (Worker worker =
                Worker.builder(client)
                        .type("mixed")
                        .once()
                        .listener(_ -> {})
                        .steps((_, _) -> "{}")
                        .start()) {
            worker.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        Task now = client.get(task.id());
        assertThat(now.status()).isEqualTo(TaskStatus.DEAD_LETTER);
        assertThat(now.lastFailureReason()).contains("is no step of an orchestration");
    }

    /// E-006, E-013, E-015, E-026.
    @Test
    void a_definition_is_written_checked_published_and_followed_by_another_version() {
        String good = definition().step(usual(Step.task("a", "t"))).build().json();
        assertThat(all.definitions().validate(good).valid()).isTrue();
        Validation twice = all.definitions().validate("{\"name\":\"a\",\"name\":\"b\"}");
        assertThat(twice.valid()).isFalse();
        assertThat(twice.findings()).extracting(Finding::code).contains("duplicate_field");
        Validation broken = all.definitions().validate("{");
        assertThat(broken.findings()).extracting(Finding::code).containsExactly("invalid_json");

        DefinitionVersion draft = all.definitions().create(good);
        String other = definition().step(usual(Step.task("b", "t"))).build().json();
        assertThat(all.definitions().rewrite(draft.id(), 1, other).document().toString())
                .isEqualTo(other);
        assertThat(all.definitions().publish(draft.id(), 1).status()).isEqualTo("published");
        var refused =
                catchThrowableOfType(
                        OrchestrionException.class,
                        () -> all.definitions().rewrite(draft.id(), 1, good));
        assertThat(refused.code()).isEqualTo("definition_immutable");
        assertThat(all.definitions().addVersion(draft.id(), null).version()).isEqualTo(2);
        assertThat(all.definitions().get(draft.id()).version()).isEqualTo(2);
        assertThat(all.definitions().get(draft.id(), 1).document().toString()).isEqualTo(other);
        assertThat(all.definitions().deprecate(draft.id(), 1).status()).isEqualTo("deprecated");
        assertThat(all.definitions().versions(draft.id(), 1, null).items())
                .extracting(DefinitionVersion::version)
                .containsExactly(2);
        assertThat(all.definitions().list("draft", "n", 10, null).items())
                .extracting(DefinitionVersion::id)
                .containsExactly(draft.id());
        assertThat(all.definitions().graph(draft.id(), 1).at("/nodes/0/id").asString())
                .isEqualTo("b");
        assertThat(all.definitions().mermaid(draft.id(), 1)).contains("flowchart");
        assertThat(all.definitions().schema()).contains("$schema");
    }

    /// E-138, E-078, E-079, E-082, E-214.
    @Test
    void an_execution_is_started_once_paused_resumed_cancelled_and_found() {
        UUID id = published(definition().step(usual(Step.task("a", "nobody"))).build());
        NewExecution wanted = NewExecution.of(id).forTarget("order", "7").withKey("k-1");
        Execution started = all.start(wanted);
        assertThat(all.start(wanted).id()).isEqualTo(started.id());
        assertThat(all.pause(started.id(), "wait").status()).isEqualTo(ExecutionStatus.PAUSED);
        assertThat(all.pause(started.id(), "wait").status()).isEqualTo(ExecutionStatus.PAUSED);
        assertThat(all.get(started.id()).blockedOn())
                .extracting(Execution.Blocked::on)
                .contains("paused");
        assertThat(all.resume(started.id(), null).status()).isEqualTo(ExecutionStatus.RUNNING);
        assertThat(all.get(started.id()).blockedOn())
                .extracting(Execution.Blocked::on)
                .containsExactly("unclaimed_work");
        assertThat(all.graph(started.id()).at("/nodes/0/status").asString()).isEqualTo("pending");
        assertThat(all.mermaid(started.id())).contains("flowchart");
        assertThat(all.cancel(started.id(), "enough").status()).isEqualTo(ExecutionStatus.CANCELED);
        var refused =
                catchThrowableOfType(
                        OrchestrionException.class, () -> all.retry(started.id(), "r", false));
        assertThat(refused.code()).isEqualTo("invalid_transition");
        assertThat(
                        all.list(
                                        ExecutionQuery.ALL
                                                .withStatus(ExecutionStatus.CANCELED)
                                                .ofDefinition(id)
                                                .forTarget("order", "7")
                                                .withCorrelationId(started.correlationId()))
                                .items())
                .extracting(Execution::id)
                .containsExactly(started.id());
        assertThat(all.steps(started.id(), "a", StepStatus.SKIPPED, 5, null).items()).hasSize(1);
    }

    /// E-214, E-215.
    @Test
    void a_failed_execution_goes_on_from_the_step_that_failed() {
        UUID id =
                published(
                        definition()
                                .step(usual(Step.task("a", "first")).onSuccess("b"))
                                .step(usual(Step.task("b", "second")))
                                .build());
        var seen = new CopyOnWriteArrayList<String>();
        try (Worker worker =
                works(
                        (step, _) -> {
                            seen.add(step.stepId() + step.attemptNumber());
                            if (step.stepId().equals("b") && step.attemptNumber() < 3) {
                                throw TaskFailure.invalid("not yet");
                            }
                            return "{}";
                        },
                        "first",
                        "second")) {
            Execution failed = ended(all.start(NewExecution.of(id)));
            assertThat(failed.error().path("code").asString()).isEqualTo("invalid");
            assertThat(all.retry(failed.id(), "again", false).attemptCount()).isEqualTo(2);
            assertThat(ended(failed).status()).isEqualTo(ExecutionStatus.FAILED);
            assertThat(all.retryStep(failed.id(), "b", "again", false).attemptNumber())
                    .isEqualTo(3);
            assertThat(ended(failed).status()).isEqualTo(ExecutionStatus.SUCCEEDED);
            assertThat(seen).containsExactly("a1", "b1", "b2", "b3");
            worker.stop();
        }
    }
}
