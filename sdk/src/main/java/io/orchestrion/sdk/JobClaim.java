package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;

/// What a worker asks for.
///
/// @param workerId its name; the one that its token is bound to
/// @param lease 1 to 3600 seconds
/// @param types only these; null for all that the credential allows
/// @param capabilities what the worker can do; null for what its token says
/// @param longPoll how long the server may wait for a job, at most 30 seconds
public record JobClaim(
        String workerId,
        Duration lease,
        @Nullable Set<String> types,
        @Nullable Set<String> capabilities,
        Duration longPoll) {
    static final Duration IDLE_WAIT = Duration.ofSeconds(5);

    /// The longest time between heartbeats, so that a cancelled job is heard of soon.
    static final Duration HEARTBEAT_MAX = Duration.ofSeconds(10);

    /// Anything that the credential allows, for two minutes, without waiting.
    public static JobClaim by(String workerId) {
        return new JobClaim(workerId, Duration.ofSeconds(120), null, null, Duration.ZERO);
    }
}
