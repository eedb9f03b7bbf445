package io.orchestrion.runs.run;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// How far the current attempt of a run is.
///
/// @param attempt its number
/// @param planVersion of its newest plan; 0 while there is none
/// @param inFlight attempts of steps that workers may have now
/// @param replanner the planner that makes another plan while the agents of the old one go on
public record Progress(
        int attempt,
        int planVersion,
        int replans,
        Counts counts,
        int inFlight,
        @Nullable UUID replanner) {
    static final Progress FIRST = new Progress(1, 0, 0, Counts.NONE, 0, null);

    /// The beginning of the next attempt.
    public Progress next() {
        return new Progress(attempt + 1, 0, 0, Counts.NONE, 0, null);
    }

    public Progress with(Counts other) {
        return new Progress(attempt, planVersion, replans, other, inFlight, replanner);
    }

    public Progress inFlight(int number) {
        return new Progress(attempt, planVersion, replans, counts, number, replanner);
    }

    public Progress replannedBy(@Nullable UUID planner) {
        return new Progress(attempt, planVersion, replans, counts, inFlight, planner);
    }

    /// With another plan in force.
    public Progress planned(int version, int replansSoFar, int workers) {
        return new Progress(attempt, version, replansSoFar, counts.ofPlan(workers), inFlight, null);
    }
}
