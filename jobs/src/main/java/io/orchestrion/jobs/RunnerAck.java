package io.orchestrion.jobs;

/// What the engine answers to what a runner says of its job.
public sealed interface RunnerAck {
    /// Done and committed: the job as it is now. After [Jobs#start] it may be FAILED already, when
    /// there is nothing to run; after [Jobs#complete] too, when the output was not valid.
    record Applied(Job job) implements RunnerAck {}

    /// The job is not this runner's any more, by cancellation, expiry or another's lease: whatever
    /// it still does counts for nothing, so it stops.
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
