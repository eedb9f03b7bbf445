package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Does one step of an orchestration, guards it or undoes it; for [Worker.Builder#steps].
///
/// ```java
/// Set<String> sent = Collections.synchronizedSet(new HashSet<>());
/// StepHandler parcels = (step, run) -> switch (step.kind()) {
///     case STEP -> "{\"first\":" + sent.add(step.idempotencyKey()) + "}";
///     case GUARD -> sent.contains(step.idempotencyKey())
///             ? StepAttempt.completed("{\"first\":false}")
///             : StepAttempt.notCompleted();
///     case COMPENSATION -> "{\"called_back\":\"" + step.input().path("order").asString() + "\"}";
///     case UNKNOWN -> throw TaskFailure.invalid("What is a " + step.kind() + "?");
/// };
/// Worker.builder(client).types(List.of("ship", "is-shipped", "call-back")).steps(parcels).start();
/// ```
///
/// It runs as a [ContextHandler] does. A plain exception is a failure that the engine does not try
/// again, as it knows nothing of it: throw a [TaskFailure] to say more.
@FunctionalInterface
public interface StepHandler {
    /// @return the result, JSON text of an object, or null for none; a guard answers
    ///     [StepAttempt#completed] or [StepAttempt#notCompleted]
    /// @throws TaskFailure to fail the attempt with an error by which the engine decides what
    ///     follows
    /// @throws Exception to fail the attempt with the exception's message
    @Nullable String handle(StepAttempt step, TaskContext context) throws Exception;
}
