package io.orchestrion.runs.tree;

import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.state.TaskStatus;

import java.util.UUID;

/// A task of an agent.
///
/// @param seq the number of its newest event
public record Task(
        UUID id,
        Home home,
        Spec spec,
        Links links,
        TaskStatus status,
        int seq,
        Progress progress,
        Clock clock,
        Fault fault) {

    /// @param round of its agent's planning that it came from; 0 where the plan of the run has it
    public record Home(UUID run, UUID agent, int sequence, int round) {}

    /// @param parallelism of its steps
    public record Spec(String name, FailureMode failureMode, ParallelismMode parallelism) {}

    /// How far it is.
    ///
    /// @param active whether steps of it are, or may be, given out
    /// @param attempt how often it was begun from its first step on, in this attempt of its agent
    /// @param open steps of this attempt that have not ended
    /// @param givenOut steps that workers or people may act on
    public record Progress(
            boolean active,
            int attempt,
            int steps,
            int open,
            int givenOut,
            int completed,
            int skipped) {

        public static Progress of(int steps) {
            return new Progress(false, 1, steps, steps, 0, 0, 0);
        }

        public Progress activated() {
            return new Progress(true, attempt, steps, open, givenOut, completed, skipped);
        }

        public Progress givenOut(int more) {
            return new Progress(active, attempt, steps, open, givenOut + more, completed, skipped);
        }

        /// A step has ended; it is no longer given out.
        public Progress ended(boolean completedWell) {
            return new Progress(
                    active,
                    attempt,
                    steps,
                    open - 1,
                    givenOut,
                    completedWell ? completed + 1 : completed,
                    completedWell ? skipped : skipped + 1);
        }

        /// Nothing of it goes on.
        public Progress stopped() {
            return new Progress(false, attempt, steps, 0, 0, completed, skipped);
        }

        /// From its first step on once more.
        public Progress again(int number) {
            return new Progress(active, number, steps, steps, 0, 0, 0);
        }
    }

    /// In another status, which is an event.
    public Task in(TaskStatus next) {
        return new Task(id, home, spec, links, next, seq + 1, progress, clock, fault);
    }

    public Task with(Progress other) {
        return new Task(id, home, spec, links, status, seq, other, clock, fault);
    }

    public Task with(Clock other) {
        return new Task(id, home, spec, links, status, seq, progress, other, fault);
    }

    public Task with(Fault other) {
        return new Task(id, home, spec, links, status, seq, progress, clock, other);
    }
}
