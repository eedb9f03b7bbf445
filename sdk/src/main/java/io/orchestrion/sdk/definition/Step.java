package io.orchestrion.sdk.definition;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.net.URI;
import java.time.Duration;
import java.time.Instant;

/// One step of a [Definition]. Each method changes the step and returns it.
///
/// ```java
/// Step<?> charge = Step.task("charge", "charge-card")
///         .named("Charge the card")
///         .timeout(Duration.ofMinutes(10))
///         .notSafeToRetry()
///         .compensatedBy(Handler.task("refund-card"))
///         .onSuccess("ship");
/// ```
///
/// A task, a call and a notice have to say whether they may be repeated: [#safeToRetry],
/// [#notSafeToRetry] or [#safeToRetryWithGuard]. The others have no effect outside and are safe.
/// Each step has a timeout, which bounds all its attempts and the waits between them. A wait for a
/// duration and a decision have one unless they are given another.
///
/// @param <S> the kind of step
public abstract sealed class Step<S extends Step<S>> permits DecisionStep, LeadingStep {
    private static final Duration DECISION = Duration.ofMinutes(1);
    private static final Duration AFTER_WAIT = Duration.ofMinutes(1);

    final ObjectNode node = Value.JSON.createObjectNode();

    Step(String type, String id) {
        node.put("step_id", id).put("name", id).put("type", type);
    }

    abstract S self();

    S set(String field, @Nullable String text) {
        node.put(field, text);
        return self();
    }

    /// A task for the workers that claim this type.
    public static TaskStep task(String id, String type) {
        return new TaskStep(id, Handler.task(type));
    }

    /// A function of the server.
    public static TaskStep builtin(String id, String name) {
        return new TaskStep(id, Handler.builtin(name));
    }

    /// Chooses the next step by conditions.
    public static DecisionStep decision(String id) {
        return new DecisionStep(id).timeout(DECISION).safeToRetry();
    }

    /// Lets so much time pass.
    public static WaitStep waitFor(String id, Duration duration) {
        return new WaitStep(id, duration).timeout(duration.plus(AFTER_WAIT)).safeToRetry();
    }

    /// Waits for a moment. The step needs a timeout that is longer.
    public static WaitStep waitUntil(String id, Instant moment) {
        return waitUntil(id, Value.of(moment.toString()));
    }

    /// Waits for a moment that the data of the execution gives, as text such as
    /// `2027-01-31T08:00:00Z`.
    public static WaitStep waitUntil(String id, Value moment) {
        return new WaitStep(id, moment).safeToRetry();
    }

    /// One HTTP request by the server, whose answer is the result.
    public static CallStep call(String id, URI url) {
        return new CallStep("external_call", id, url);
    }

    /// One message by the server to a webhook, sent once.
    public static CallStep notice(String id, URI url) {
        return new CallStep("notify", id, url).set("channel", "webhook");
    }

    /// Waits for a person, at most for its timeout.
    public static ApprovalStep approval(String id, Duration timeout) {
        return new ApprovalStep(id).timeout(timeout).safeToRetry();
    }

    /// What people read; the id unless set.
    public S named(String name) {
        return set("name", name);
    }

    /// How long the step may take with all its attempts and the waits between them.
    public S timeout(Duration timeout) {
        node.put("timeout_ms", timeout.toMillis());
        return self();
    }

    /// How often it is tried; as the definition says unless set.
    public S retry(StepRetry policy) {
        policy.writeTo(node.putObject("retry_policy"));
        return self();
    }

    /// Its effect is the same however often it is done.
    public S safeToRetry() {
        return set("idempotency_strategy", "SAFE_TO_RETRY");
    }

    /// It is never repeated by the engine.
    public S notSafeToRetry() {
        return set("idempotency_strategy", "NOT_SAFE_TO_RETRY");
    }

    /// It is repeated after a guard has said that the last attempt did not get through.
    ///
    /// @param guard answers `{"completed": true, "result": …}` or `{"completed": false}`
    public S safeToRetryWithGuard(Handler guard) {
        set("idempotency_strategy", "SAFE_TO_RETRY_WITH_GUARD");
        return set("guard_handler", guard.text());
    }

    /// Who undoes the step after a failure that left something behind, once a person approves it.
    public S compensatedBy(Handler handler) {
        return set("compensation_handler", handler.text());
    }

    /// The same, and nobody is asked.
    public S compensatedAtOnceBy(Handler handler) {
        compensatedBy(handler);
        return set("compensation_policy", "auto");
    }

    /// The next step after a final failure; without one the execution fails.
    public S onFailure(String stepId) {
        return set("on_failure", stepId);
    }

    /// The next step after a final timeout; that of a failure unless set.
    public S onTimeout(String stepId) {
        return set("on_timeout", stepId);
    }

    /// The JSON of the step as a definition has it.
    @Override
    public String toString() {
        return node.toString();
    }
}
