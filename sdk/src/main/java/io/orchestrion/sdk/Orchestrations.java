package io.orchestrion.sdk;

import static io.orchestrion.sdk.OrchestrionClient.putIfThere;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;

/// Orchestrations: what consists of steps, each done by a worker, the server or a person. From
/// [OrchestrionClient#orchestrations].
///
/// ```java
/// Orchestrations orchestrations = client.orchestrations();
/// Definition greet = Definition.named("Greet")
///         .retry(StepRetry.fixed(3, Duration.ofSeconds(5)))
///         .step(Step.task("hello", "hello").timeout(Duration.ofMinutes(1)).safeToRetry())
///         .build();
/// DefinitionVersion draft = orchestrations.definitions().create(greet.json());
/// orchestrations.definitions().publish(draft.id(), draft.version());
/// Execution started = orchestrations.start(NewExecution.of(draft.id()).forTarget("user", "7"));
/// Optional<Execution> ended = orchestrations.await(started.id(), Duration.ofMinutes(1));
/// ```
///
/// A worker does the steps: [Worker.Builder#steps].
///
/// When an answer is lost, the client repeats reads, starts (which have a key), pause, resume and
/// cancel. Retries are sent once: the `attemptCount` of the execution tells whether one was done.
public final class Orchestrations {
    static final String BASE = "/v1/orchestrations";

    private static final String EXECUTIONS = BASE + "/executions";

    private final Transport transport;

    Orchestrations(Transport transport) {
        this.transport = transport;
    }

    /// What executions follow.
    public Definitions definitions() {
        return new Definitions(transport);
    }

    /// What executions ask of people.
    public Approvals approvals() {
        return new Approvals(transport);
    }

    /// Steps that failed for good.
    public DeadLetters deadLetters() {
        return new DeadLetters(transport);
    }

    /// What people have to look at.
    public Reviews reviews() {
        return new Reviews(transport);
    }

    /// Every known error code and HTTP status with its class, and what follows from each class.
    public JsonNode retryMatrix() {
        return transport.send(Call.get(BASE + "/retry-matrix"), answer -> answer);
    }

    /// Starts an execution. If the server has seen its key before, the answer is the execution that
    /// was started then, as it stands now.
    public Execution start(NewExecution execution) {
        return transport.send(
                Call.post(EXECUTIONS, execution.body()).withKey(execution.idempotencyKey()),
                OrchestrationWire::execution);
    }

    /// An execution with what it waits for, its first attempts and its first transitions.
    public Execution get(UUID id) {
        return get(id, null);
    }

    /// @param limit how many attempts and transitions, 1 to 100; null for the server's default
    public Execution get(UUID id, @Nullable Integer limit) {
        return transport.send(
                Call.get(path(id, "") + new Parameters().with("limit", limit)),
                OrchestrationWire::execution);
    }

    /// A page of executions.
    public Page<Execution> list(ExecutionQuery query) {
        return transport.send(
                Call.get(EXECUTIONS + query.parameters()),
                OrchestrationWire.page(OrchestrationWire::execution));
    }

    /// A page of the attempts at an execution's steps, oldest first.
    ///
    /// @param stepId of this step only; null for all
    /// @param status in this status only; null for all
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<StepExecution> steps(
            UUID id,
            @Nullable String stepId,
            @Nullable StepStatus status,
            @Nullable Integer limit,
            @Nullable String cursor) {
        var asked =
                Parameters.page(limit, cursor)
                        .with("step_id", stepId)
                        .with("status", status == null ? null : status.word());
        return transport.send(
                Call.get(path(id, "/steps") + asked),
                OrchestrationWire.page(OrchestrationWire::step));
    }

    /// A page of the changes of an execution's status, oldest first.
    ///
    /// @param limit 1 to 100; null for the server's default
    /// @param cursor the cursor of the page before; null for the first page
    public Page<ExecutionTransition> transitions(
            UUID id, @Nullable Integer limit, @Nullable String cursor) {
        return transport.send(
                Call.get(path(id, "/transitions") + Parameters.page(limit, cursor)),
                OrchestrationWire.page(OrchestrationWire::transition));
    }

    /// The steps of its definition, the ways between them, and how each step stands.
    public JsonNode graph(UUID id) {
        return transport.send(Call.get(path(id, "/graph?format=json")), json -> json);
    }

    /// The same as a flow chart in Mermaid's language.
    public String mermaid(UUID id) {
        return transport.text(Call.get(path(id, "/graph?format=mermaid")));
    }

    /// Ends an execution. What nobody has begun is skipped; who has a step loses the lease.
    ///
    /// @param reason for the history, at most 500 characters; null for nothing
    public Execution cancel(UUID id, @Nullable String reason) {
        return ordered(id, "/cancel", reason);
    }

    /// Has no further step begin. What somebody works on goes on, and its result is kept.
    public Execution pause(UUID id, @Nullable String reason) {
        return ordered(id, "/pause", reason);
    }

    /// Goes on where it stopped.
    public Execution resume(UUID id, @Nullable String reason) {
        return ordered(id, "/resume", reason);
    }

    private Execution ordered(UUID id, String verb, @Nullable String reason) {
        ObjectNode body = Json.object();
        putIfThere(body, "reason", reason);
        return transport.send(
                Call.post(path(id, verb), body).repeated(true), OrchestrationWire::execution);
    }

    /// Has a failed execution go on from the step that failed. Steps that succeeded are not done
    /// again.
    ///
    /// @param reason for the audit log, 1 to 500 characters
    /// @param confirmUnsafe that it is right to repeat a step that is not safe to repeat
    public Execution retry(UUID id, String reason, boolean confirmUnsafe) {
        return transport.send(
                Call.post(path(id, "/retry"), retryBody(reason, confirmUnsafe)),
                OrchestrationWire::execution);
    }

    /// Has a failed execution go on from this failed step.
    ///
    /// @return the new attempt
    public StepExecution retryStep(UUID id, String stepId, String reason, boolean confirmUnsafe) {
        return transport.send(
                Call.post(step(id, stepId, "/retry"), retryBody(reason, confirmUnsafe)),
                OrchestrationWire::step);
    }

    static ObjectNode retryBody(String reason, boolean confirmUnsafe) {
        ObjectNode body = Json.object().put("reason", reason);
        if (confirmUnsafe) {
            body.put("confirm_unsafe", true);
        }
        return body;
    }

    /// Reads the execution until it has ended, at intervals that grow while nothing happens.
    ///
    /// @return empty if it has not ended within the time
    public Optional<Execution> await(UUID id, Duration within) {
        return await(id, within, _ -> {});
    }

    /// @param seen receives the execution each time that it was read
    public Optional<Execution> await(UUID id, Duration within, Consumer<Execution> seen) {
        return Looks.until(
                transport.clock(),
                within,
                () -> {
                    Execution execution = get(id);
                    seen.accept(execution);
                    return execution;
                },
                Execution::standsAs,
                execution -> execution.status().ended());
    }

    static String step(UUID execution, String stepId, String rest) {
        return path(execution, "/steps/" + Parameters.encoded(stepId) + rest);
    }

    private static String path(UUID id, String rest) {
        return EXECUTIONS + "/" + id + rest;
    }
}
