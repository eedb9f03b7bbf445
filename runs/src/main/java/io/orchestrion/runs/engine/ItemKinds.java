package io.orchestrion.runs.engine;

import io.orchestrion.runs.plan.ReservedTools;

/// Kinds of items that no worker outside gets.
public final class ItemKinds {
    /// The driver of a run.
    public static final String DRIVE = ReservedTools.RUN_DRIVE;

    /// A plan that a worker inside this server asks an LLM for: of a run, or of an agent.
    public static final String LLM_PLAN = "builtin_run_plan";

    private ItemKinds() {}
}
