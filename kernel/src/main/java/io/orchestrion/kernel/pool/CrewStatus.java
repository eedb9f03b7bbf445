package io.orchestrion.kernel.pool;

import java.time.Duration;

/// How one kind of workers fares on this node.
///
/// @param busy how many of the places something runs in
/// @param stuck how many of them were told to stop a while ago and have not
/// @param longestMs for how long what began first has been running
public record CrewStatus(String name, int places, int busy, int stuck, long longestMs) {
    /// Work that was told to stop has this long before it is shown as stuck.
    public static final Duration STUCK_AFTER = Duration.ofSeconds(30);

    CrewStatus and(CrewStatus other) {
        return new CrewStatus(
                name,
                places + other.places,
                busy + other.busy,
                stuck + other.stuck,
                Math.max(longestMs, other.longestMs));
    }
}
