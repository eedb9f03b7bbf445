package io.orchestrion.runs.llm;

import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.pool.Outcome;
import io.orchestrion.kernel.pool.Pool;
import io.orchestrion.kernel.pool.PoolWork;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanReader;

import java.time.Duration;
import java.util.UUID;

/// Plans runs with a model, for those that ask for it: their planning steps are items of this
/// server. Other runs are planned by workers of the account.
public final class LlmPlanner {
    /// Of the items of planning steps that a model is asked for.
    public static final String KIND = "builtin_run_plan";

    private final LlmOptions options;
    private final PlanningWork work;

    /// @param egress that may call the address in the options
    /// @param limits of plans, where a run does not have narrower ones
    public LlmPlanner(
            Egress egress,
            LlmOptions options,
            PlanReader reader,
            PlanLimits limits,
            NanoTicker ticker) {
        this.options = options;
        work = new PlanningWork(new ChatClient(egress, options), options, reader, limits, ticker);
    }

    /// Before the pool starts.
    public void addTo(Pool pool) {
        pool.add(
                new PoolWork(
                        "run-planner",
                        Profiles.BUILTIN,
                        KIND,
                        options.places(),
                        options.perAccount()),
                work);
    }

    /// Plans once, outside of any pool.
    ///
    /// @param payload of the planning step
    public Outcome plan(UUID account, String payload, Duration most) throws InterruptedException {
        return work.plan(account, payload, most, null);
    }
}
