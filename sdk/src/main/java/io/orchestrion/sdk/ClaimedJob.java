package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// A job under a lease of ours.
///
/// @param workerId the name under which it was claimed
/// @param leaseToken tells this lease from any other of the same worker
/// @param lease how long it lasts from the claim or the last heartbeat
public record ClaimedJob(QueueJob job, String workerId, @Nullable UUID leaseToken, Duration lease) {
    public UUID id() {
        return job.id();
    }

    /// The token is left out: whoever has it can end the job.
    @Override
    public String toString() {
        return "ClaimedJob[" + job + "]";
    }
}
