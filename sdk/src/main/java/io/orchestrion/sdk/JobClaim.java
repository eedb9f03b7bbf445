package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/// A claim of a worker for jobs of the queue.
///
/// ```java
/// JobClaim claim = JobClaim.by("executor-01");
/// client.queue().claim(claim).ifPresent(job -> client.queue().complete(job, "done"));
/// ```
///
/// @param workerId the worker's name; a worker token works only for the name that it is bound to
/// @param lease 1 to 3600 seconds
/// @param types only jobs of these types; null for all that the credential allows
/// @param capabilities what the worker can do; null for the capabilities of its token
/// @param longPoll how long the server may wait for a job, at most 30 seconds
public record JobClaim(
        String workerId,
        Duration lease,
        @Nullable Set<String> types,
        @Nullable Set<String> capabilities,
        Duration longPoll) {
    static final Duration IDLE_WAIT = Duration.ofSeconds(5);

    /// The longest time between heartbeats, so that a worker notices soon that its job was
    /// cancelled.
    static final Duration HEARTBEAT_MAX = Duration.ofSeconds(10);

    /// Any job that the credential allows, with a lease of two minutes, without waiting.
    public static JobClaim by(String workerId) {
        return new JobClaim(workerId, Duration.ofSeconds(120), null, null, Duration.ZERO);
    }
}
