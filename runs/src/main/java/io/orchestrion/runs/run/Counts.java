package io.orchestrion.runs.run;

/// How many rows the current attempt of a run has, and how its newest plan gets on.
///
/// @param agents of all plans of the attempt, planners included
/// @param open workers of the newest plan that have not ended
/// @param lostAgents workers of the newest plan that have failed, tolerated or not
/// @param lostTasks the same of tasks
public record Counts(
        int agents,
        int tasks,
        int steps,
        int open,
        int completed,
        int skipped,
        int lostAgents,
        int lostTasks) {
    public static final Counts NONE = new Counts(0, 0, 0, 0, 0, 0, 0, 0);

    /// With more rows.
    public Counts plus(int moreAgents, int moreTasks, int moreSteps) {
        return new Counts(
                agents + moreAgents,
                tasks + moreTasks,
                steps + moreSteps,
                open,
                completed,
                skipped,
                lostAgents,
                lostTasks);
    }

    /// At the beginning of another plan with so many agents.
    public Counts ofPlan(int workers) {
        return new Counts(agents, tasks, steps, workers, 0, 0, 0, 0);
    }

    public Counts completedOne() {
        return new Counts(
                agents, tasks, steps, open - 1, completed + 1, skipped, lostAgents, lostTasks);
    }

    public Counts skippedOne() {
        return new Counts(
                agents, tasks, steps, open - 1, completed, skipped + 1, lostAgents, lostTasks);
    }

    /// One that neither completed nor was skipped.
    public Counts endedOne() {
        return new Counts(
                agents, tasks, steps, open - 1, completed, skipped, lostAgents, lostTasks);
    }

    public Counts lostAgent() {
        return new Counts(
                agents, tasks, steps, open, completed, skipped, lostAgents + 1, lostTasks);
    }

    public Counts lostTask() {
        return new Counts(
                agents, tasks, steps, open, completed, skipped, lostAgents, lostTasks + 1);
    }

    /// Workers of the newest plan.
    public int ofPlan() {
        return open + completed + skipped;
    }
}
