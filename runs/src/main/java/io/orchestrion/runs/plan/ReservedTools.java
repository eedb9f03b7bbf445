package io.orchestrion.runs.plan;

import java.util.Set;

/// Types of steps that the engine makes itself.
public final class ReservedTools {
    /// Plans the agents of a run; its result is a plan.
    public static final String RUN_PLAN = "run_plan";

    /// Plans the tasks of an agent; its result has tasks.
    public static final String AGENT_PLAN = "agent_plan";

    /// The item of a run's driver. A step of that type would be taken for one, and never end.
    public static final String RUN_DRIVE = "run_drive";

    /// What the servers themselves do, such as calls over HTTP.
    private static final String BUILTIN = "builtin_";

    private static final Set<String> NAMES = Set.of(RUN_PLAN, AGENT_PLAN, RUN_DRIVE);

    private ReservedTools() {}

    static boolean isReserved(String tool) {
        return NAMES.contains(tool) || tool.startsWith(BUILTIN);
    }
}
