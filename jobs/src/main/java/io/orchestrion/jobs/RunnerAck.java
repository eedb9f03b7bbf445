package io.orchestrion.jobs;

/// The engine's answer to a runner's report.
public sealed interface RunnerAck {
    /// Done and committed: the job as it is now. After [Jobs#start] it may be FAILED already, when
    /// there is nothing to run; after [Jobs#complete] too, when the output was not valid.
    record Applied(Job job) implements RunnerAck {}

    /// The job no longer belongs to this runner: it was cancelled, its lease expired, or another
    /// runner has it. Nothing that the runner still does counts, so it stops.
    ///
    /// @param state as it is now; null when the job is gone
    record Stop(Why why, @org.jspecify.annotations.Nullable JobState state) implements RunnerAck {}

    enum Why {
        CANCELED,
        LEASE_LOST,
        LEASE_EXPIRED,
        WRONG_STATE,
        GONE
    }
}
