package io.orchestrion.runs.plan;

import java.util.Set;

/// Types of steps that the engine makes itself.
public final class ReservedTools {
    /// Plans the agents of a run; its result is a plan.
    public static final String RUN_PLAN = "run_plan";

    /// Plans the tasks of an agent; its result has tasks.
    public static final String AGENT_PLAN = "agent_plan";

    static final Set<String> NAMES = Set.of(RUN_PLAN, AGENT_PLAN);

    private ReservedTools() {}
}
