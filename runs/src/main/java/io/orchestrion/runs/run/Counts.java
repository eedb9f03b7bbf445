package io.orchestrion.runs.run;

/// How many rows the current attempt of a run has, and how its newest plan gets on.
///
/// @param agents of all plans of the attempt, planners included
/// @param plan agents of the newest plan
public record Counts(int agents, int tasks, int steps, OfPlan plan) {
    public static final Counts NONE = new Counts(0, 0, 0, new OfPlan(0, 0, 0, 0, 0, 0));

    /// @param open workers that have not ended
    /// @param lostAgents workers that have failed, tolerated or not
    /// @param lostTasks the same of tasks
    /// @param before workers of earlier plans that completed
    public record OfPlan(
            int open, int completed, int skipped, int lostAgents, int lostTasks, int before) {
        /// Workers of the plan.
        public int workers() {
            return open + completed + skipped;
        }

        /// Whether anything was done, in this plan or an earlier one.
        public boolean anyCompleted() {
            return completed + before > 0;
        }
    }

    /// With more rows.
    public Counts plus(int moreAgents, int moreTasks, int moreSteps) {
        return new Counts(agents + moreAgents, tasks + moreTasks, steps + moreSteps, plan);
    }

    /// At the beginning of another plan with so many agents.
    public Counts ofPlan(int workers) {
        return with(new OfPlan(workers, 0, 0, 0, 0, plan.before + plan.completed));
    }

    public Counts completedOne() {
        return with(
                new OfPlan(
                        plan.open - 1,
                        plan.completed + 1,
                        plan.skipped,
                        plan.lostAgents,
                        plan.lostTasks,
                        plan.before));
    }

    /// One that did not complete.
    public Counts lostAgent() {
        return with(
                new OfPlan(
                        plan.open - 1,
                        plan.completed,
                        plan.skipped + 1,
                        plan.lostAgents + 1,
                        plan.lostTasks,
                        plan.before));
    }

    public Counts lostTask() {
        return with(
                new OfPlan(
                        plan.open,
                        plan.completed,
                        plan.skipped,
                        plan.lostAgents,
                        plan.lostTasks + 1,
                        plan.before));
    }

    private Counts with(OfPlan other) {
        return new Counts(agents, tasks, steps, other);
    }
}
