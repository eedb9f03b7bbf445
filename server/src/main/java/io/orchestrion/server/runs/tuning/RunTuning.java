package io.orchestrion.server.runs.tuning;

import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.credit.Prices;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.engine.RunsOptions.Attempts;
import io.orchestrion.runs.engine.RunsOptions.Drivers;
import io.orchestrion.runs.engine.RunsOptions.Given;
import io.orchestrion.runs.engine.RunsOptions.Heart;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.runs.run.Bounds;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// The engine of runs as the operator wants it.
///
/// @param usual the bounds of a run that names none
/// @param attempts how often the levels below a run are tried where the plan does not say
/// @param grants the credits that accounts get without being asked
/// @param kept how long ended runs are kept; null for ever
/// @param stepOutputBytes how much one step may write while it is under way
public record RunTuning(
        Bounds usual,
        Attempts attempts,
        PolicySettings policy,
        Prices prices,
        InitialGrants grants,
        Heart heart,
        Drivers drivers,
        @Nullable Duration kept,
        long stepOutputBytes) {
    static final long STEP_OUTPUT_BYTES = 1024 * 1024;

    /// As the contract has it.
    public static final RunTuning USUAL =
            new RunTuning(
                    RunsOptions.USUAL_BOUNDS,
                    Attempts.USUAL,
                    PolicySettings.USUAL,
                    Prices.DEFAULT,
                    InitialGrants.DEFAULT,
                    Heart.USUAL,
                    Drivers.USUAL,
                    null,
                    STEP_OUTPUT_BYTES);

    /// What a plan may say is the same on every server: a plan that was accepted is read again
    /// later, and has to be good then too.
    public RunsOptions with(Given given) {
        return new RunsOptions(
                usual,
                attempts,
                policy,
                PlanLimits.USUAL,
                prices,
                grants,
                heart,
                drivers,
                given,
                kept);
    }
}
