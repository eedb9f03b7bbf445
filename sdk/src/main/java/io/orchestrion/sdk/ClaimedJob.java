package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// A job of the queue that this worker holds under a lease; from [JobQueue#claim].
///
/// @param job the job as it was claimed
/// @param workerId the name under which it was claimed
/// @param leaseToken identifies this lease, also among leases of the same worker
/// @param lease how long the lease lasts after the claim or the last heartbeat
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
