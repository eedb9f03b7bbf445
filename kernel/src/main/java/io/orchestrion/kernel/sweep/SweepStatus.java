package io.orchestrion.kernel.sweep;

import org.jspecify.annotations.Nullable;

/// How a duty fares on this node.
///
/// @param sinceLastRunMs how long ago its last good pass ended, by this node's own timer; since
///     its start where there was none
/// @param paceMs how long it rests between passes
/// @param changed how many things it changed since the node started
public record SweepStatus(
        String name,
        boolean ranOnce,
        long sinceLastRunMs,
        long paceMs,
        long changed,
        @Nullable String lastError) {

    /// A duty that has not run for so long counts as stuck, unless its own pace is slower.
    public static final long UNHEALTHY_AFTER_MS = 90_000;

    public boolean healthy() {
        return sinceLastRunMs <= Math.max(UNHEALTHY_AFTER_MS, 2 * paceMs);
    }
}
