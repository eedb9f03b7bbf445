package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Executes one job of the queue.
///
/// ```java
/// JobHandler build = run -> {
///     run.log().line(JobEventLevel.INFO, "stdout", "building " + run.job().payload());
///     return "built";
/// };
/// Worker.ofQueue(client).workerId("executor-01").handler(build).start();
/// ```
///
/// The handler runs on its own virtual thread. The thread is interrupted when the job is cancelled,
/// the lease is lost or [Worker#stop] is called. A handler may run again for the same job, so make
/// its side effects repeatable.
@FunctionalInterface
public interface JobHandler {
    /// @return a summary of the result, or null for none
    /// @throws JobFailure to say whether the job is tried again
    /// @throws Exception to fail the job with the exception's message; the job is tried again
    @Nullable String handle(JobRun run) throws Exception;
}
