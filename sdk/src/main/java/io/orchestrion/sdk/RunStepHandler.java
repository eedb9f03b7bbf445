package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Does steps of runs; for [Worker.Builder#runSteps].
///
/// ```java
/// RunStepHandler echo = (step, run) -> {
///     run.write("working on " + step.name() + "\n");
///     run.tokens(12);
///     return step.input().toString();
/// };
/// Worker.builder(client).type("echo").runSteps(echo).start();
/// ```
///
/// It runs as a [ContextHandler] does. A plain exception is a failure that the engine does not try
/// again, as it knows nothing of it: throw a [TaskFailure] to say more, such as the code
/// `TimeoutError` or the HTTP status 429.
@FunctionalInterface
public interface RunStepHandler {
    /// @return the output, JSON text of an object, or null for none; a planning step answers a
    ///     [io.orchestrion.sdk.plan.Plan] or [io.orchestrion.sdk.plan.NextTasks] as JSON
    /// @throws TaskFailure to fail the attempt with an error by which the engine decides what
    ///     follows
    /// @throws Exception to fail the attempt with the exception's message
    @Nullable String handle(ClaimedStep step, RunStepContext context) throws Exception;
}
