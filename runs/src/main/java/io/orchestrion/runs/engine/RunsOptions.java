package io.orchestrion.runs.engine;

import io.orchestrion.kernel.egress.Egress;
import io.orchestrion.kernel.schema.JsonSchemas;
import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.credit.Prices;
import io.orchestrion.runs.escalation.OnCallOptions;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.runs.run.Timeouts;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.random.RandomGenerator;

/// What the engine is given by whoever starts it.
///
/// @param usual the bounds of a run that names none
/// @param prices what work costs
/// @param initial the credits that an account begins with
/// @param heart how runs show that somebody drives them
/// @param drivers how many runs this node drives
/// @param kept how long ended runs are kept; null for ever
public record RunsOptions(
        Bounds usual,
        Attempts attempts,
        PolicySettings policy,
        PlanLimits plans,
        Prices prices,
        InitialGrants initial,
        Heart heart,
        Drivers drivers,
        Given given,
        @Nullable Duration kept) {

    /// How often the levels below a run are tried where the plan does not say.
    ///
    /// @param rounds of planning that an agent may ask for
    public record Attempts(int step, int task, int agent, int rounds) {
        public static final Attempts USUAL = new Attempts(3, 3, 3, 100);
    }

    /// @param beatEvery how often the drivers of this node are noted
    /// @param limit a run that was not noted for longer fails
    /// @param afterOutage what becomes of such runs when a node starts
    public record Heart(Duration beatEvery, Duration limit, AfterOutage afterOutage) {
        public static final Heart USUAL =
                new Heart(Duration.ofSeconds(10), Duration.ofSeconds(60), AfterOutage.FAIL);
    }

    /// What becomes of runs that nobody drove while all nodes were away.
    public enum AfterOutage {
        FAIL,
        ADOPT
    }

    /// @param places on this node
    /// @param perAccount how many of them one account may have
    public record Drivers(int places, int perAccount) {
        public static final Drivers USUAL = new Drivers(2_000, 500);
    }

    /// Things that the server shares.
    ///
    /// @param onCall who is told of tickets; null for nobody
    public record Given(JsonSchemas schemas, RandomGenerator random, @Nullable OnCallLine onCall) {}

    /// How whoever is on call is told of tickets.
    ///
    /// @param egress that may call the address in the options
    public record OnCallLine(Egress egress, OnCallOptions options) {}

    /// As the contract has them.
    public static final Bounds USUAL_BOUNDS = new Bounds(3, 10, 3, 100_000, 5, 3, Timeouts.USUAL);

    public static RunsOptions usual(JsonSchemas schemas, RandomGenerator random) {
        return new RunsOptions(
                USUAL_BOUNDS,
                Attempts.USUAL,
                PolicySettings.USUAL,
                PlanLimits.USUAL,
                Prices.DEFAULT,
                InitialGrants.DEFAULT,
                Heart.USUAL,
                Drivers.USUAL,
                new Given(schemas, random, null),
                null);
    }
}
