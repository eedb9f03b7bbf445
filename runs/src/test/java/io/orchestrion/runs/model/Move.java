package io.orchestrion.runs.model;

import org.jspecify.annotations.Nullable;

/// What somebody does to one run. Steps, tasks and agents are named by their places.
sealed interface Move {
    /// One that needs no more than the run.
    enum Verb {
        START,
        PAUSE,
        RESUME,
        CANCEL,
        RETRY,
        DELETE,
        FORCE_FAIL
    }

    record OfRun(Verb verb) implements Move {}

    record CancelAgent(String agent) implements Move {}

    record CancelTask(String agent, int task) implements Move {}

    record PlanByHand(Plot plan) implements Move {}

    /// Of the newest ticket.
    record Resolve(boolean resume) implements Move {}

    record Decide(String step, boolean approve) implements Move {}

    /// @param attempt by its name among those of its step
    /// @param output of a step that plans; null for one of a tool
    record Complete(
            String step,
            String attempt,
            int tokens,
            String result,
            @Nullable Object output,
            boolean good)
            implements Move {}

    record Fail(String step, String attempt, int tokens, Failure failure) implements Move {}

    record Beat(String step, String attempt) implements Move {}
}
