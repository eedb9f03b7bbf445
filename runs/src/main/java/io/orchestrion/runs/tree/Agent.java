package io.orchestrion.runs.tree;

import io.orchestrion.runs.plan.FailureMode;
import io.orchestrion.runs.plan.ParallelismMode;
import io.orchestrion.runs.state.AgentStatus;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// An agent of a run.
///
/// @param seq the number of its newest event
public record Agent(
        UUID id,
        UUID run,
        Place place,
        Spec spec,
        AgentStatus status,
        int seq,
        Progress progress,
        Clock clock,
        Fault fault) {

    /// What an agent is for.
    public enum Role {
        /// It plans the others.
        PLANNER,
        WORKER;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Role::word).toList();
        }

        public static Optional<Role> named(String word) {
            return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
        }
    }

    /// @param attempt of the run
    /// @param planVersion of a planner: the one that was in force when it began, 0 for none
    public record Place(int attempt, int planVersion, int sequence, Role role) {}

    /// @param parallelism of its tasks
    /// @param loops whether workers plan further tasks of it when those that it has have ended
    public record Spec(
            String subtask, FailureMode failureMode, ParallelismMode parallelism, boolean loops) {}

    /// How far it is.
    ///
    /// @param attempt how often it was begun from its first task on
    /// @param rounds of planning that gave it tasks
    /// @param superseded whether another plan took its place
    /// @param tasks how many there are, those of earlier attempts of an agent that loops included
    /// @param open tasks of this attempt that have not ended
    /// @param active tasks that steps are given out of
    public record Progress(
            int attempt,
            int rounds,
            boolean superseded,
            int tasks,
            int open,
            int active,
            int completed,
            int skipped) {
        public static final Progress FIRST = new Progress(1, 0, false, 0, 0, 0, 0, 0);

        public Progress plus(int more) {
            return new Progress(
                    attempt,
                    rounds,
                    superseded,
                    tasks + more,
                    open + more,
                    active,
                    completed,
                    skipped);
        }

        public Progress anotherRound() {
            return new Progress(
                    attempt, rounds + 1, superseded, tasks, open, active, completed, skipped);
        }

        public Progress activated() {
            return new Progress(
                    attempt, rounds, superseded, tasks, open, active + 1, completed, skipped);
        }

        /// A task has ended.
        ///
        /// @param was whether steps of it were given out
        public Progress ended(boolean was, boolean completedWell) {
            return new Progress(
                    attempt,
                    rounds,
                    superseded,
                    tasks,
                    open - 1,
                    was ? active - 1 : active,
                    completedWell ? completed + 1 : completed,
                    completedWell ? skipped : skipped + 1);
        }

        /// Nothing of it goes on.
        public Progress stopped(boolean supersededNow) {
            return new Progress(
                    attempt, rounds, supersededNow || superseded, tasks, 0, 0, completed, skipped);
        }

        /// From its first task on once more.
        public Progress again(int tasksOpen) {
            return new Progress(attempt + 1, rounds, superseded, tasks, tasksOpen, 0, 0, 0);
        }
    }

    public boolean isPlanner() {
        return place.role == Role.PLANNER;
    }

    /// The same, which gets another round of planning when its tasks have ended, or none.
    public Agent looping(boolean again) {
        var other = new Spec(spec.subtask, spec.failureMode, spec.parallelism, again);
        return new Agent(id, run, place, other, status, seq, progress, clock, fault);
    }

    /// In another status, which is an event.
    public Agent in(AgentStatus next) {
        return new Agent(id, run, place, spec, next, seq + 1, progress, clock, fault);
    }

    public Agent with(Progress other) {
        return new Agent(id, run, place, spec, status, seq, other, clock, fault);
    }

    public Agent with(Clock other) {
        return new Agent(id, run, place, spec, status, seq, progress, other, fault);
    }

    public Agent with(Fault other) {
        return new Agent(id, run, place, spec, status, seq, progress, clock, other);
    }
}
