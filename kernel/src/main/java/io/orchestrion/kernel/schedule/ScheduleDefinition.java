package io.orchestrion.kernel.schedule;

/// A schedule as its owner defines it.
///
/// @param name unique in the account
/// @param jitterSeconds a task becomes claimable up to so much after its time
public record ScheduleDefinition(
        String name,
        Timing timing,
        CatchUp catchUp,
        Overlap overlap,
        int jitterSeconds,
        TaskTemplate task) {
    public static final int JITTER_MAX = 3600;
}
