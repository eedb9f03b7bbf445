package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// Does one job. It runs on a virtual thread of its own and is interrupted when the job is
/// cancelled, the lease is lost or the worker is told to stop at once; it may be run again for the
/// same job, so what it does to the world should bear that.
@FunctionalInterface
public interface JobHandler {
    /// @return a summary of the result, or null for none
    /// @throws JobFailure to say whether the job is to be tried again
    /// @throws Exception to fail the job with the exception's message; it is tried again
    @Nullable String handle(JobRun run) throws Exception;
}
