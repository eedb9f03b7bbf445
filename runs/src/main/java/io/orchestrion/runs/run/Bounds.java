package io.orchestrion.runs.run;

/// What a run may have at the most. It keeps the bounds that it was made with.
///
/// @param attempts of the whole run
/// @param agents in a plan
/// @param replans in an attempt
/// @param tokens of an attempt, which its credits are reserved for
/// @param tasksAtOnce of an agent
/// @param stepsAtOnce of a task
public record Bounds(
        int attempts,
        int agents,
        int replans,
        long tokens,
        int tasksAtOnce,
        int stepsAtOnce,
        Timeouts timeouts) {}
