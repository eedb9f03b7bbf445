package io.orchestrion.server.runs.tuning;

import io.orchestrion.runs.credit.InitialGrants;
import io.orchestrion.runs.credit.Prices;
import io.orchestrion.runs.engine.RunsOptions;
import io.orchestrion.runs.engine.RunsOptions.Attempts;
import io.orchestrion.runs.engine.RunsOptions.Drivers;
import io.orchestrion.runs.run.Bounds;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Decimal;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;

/// The settings of how much runs may have, and of what it costs.
public final class BoundSetting {
    private BoundSetting() {}

    private static final Bounds USUAL = RunsOptions.USUAL_BOUNDS;
    private static final Prices PRICES = Prices.DEFAULT;
    private static final long CREDITS_MAX = 1_000_000_000;
    private static final int DRIVERS_MAX = 100_000;

    private static Setting whole(String name, long least, long most, long usual, String meaning) {
        return Setting.of(name, new Whole(least, most), String.valueOf(usual), meaning);
    }

    public static final Setting RUN_ATTEMPTS =
            whole(
                    "RUN_ATTEMPTS",
                    1,
                    RunBounds.ATTEMPTS,
                    USUAL.attempts(),
                    "Attempts of a run that names no max_attempts.");

    public static final Setting RUN_AGENTS =
            whole(
                    "RUN_AGENTS",
                    1,
                    RunBounds.AGENTS,
                    USUAL.agents(),
                    "Agents in a plan of a run that names no max_agents.");

    public static final Setting RUN_REPLANS =
            whole(
                    "RUN_REPLANS",
                    0,
                    RunBounds.REPLANS,
                    USUAL.replans(),
                    "Further plans in an attempt of a run that names no max_replans.");

    public static final Setting RUN_TOKENS =
            whole(
                    "RUN_TOKENS",
                    1,
                    RunBounds.TOKENS,
                    USUAL.tokens(),
                    "Tokens of an attempt of a run that names no max_tokens. Its credits are"
                            + " reserved for them.");

    public static final Setting RUN_TASKS_AT_ONCE =
            whole(
                    "RUN_TASKS_AT_ONCE",
                    1,
                    RunBounds.AT_ONCE,
                    USUAL.tasksAtOnce(),
                    "Tasks of an agent at once where a run names no max_concurrent_tasks.");

    public static final Setting RUN_STEPS_AT_ONCE =
            whole(
                    "RUN_STEPS_AT_ONCE",
                    1,
                    RunBounds.AT_ONCE,
                    USUAL.stepsAtOnce(),
                    "Steps of a task at once where a run names no max_concurrent_steps.");

    public static final Setting RUN_STEP_ATTEMPTS =
            whole(
                    "RUN_STEP_ATTEMPTS",
                    1,
                    RunBounds.ATTEMPTS,
                    Attempts.USUAL.step(),
                    "Attempts of a step that names no max_attempts.");

    public static final Setting RUN_TASK_ATTEMPTS =
            whole(
                    "RUN_TASK_ATTEMPTS",
                    1,
                    RunBounds.ATTEMPTS,
                    Attempts.USUAL.task(),
                    "Attempts of a task whose failure_mode is retry.");

    public static final Setting RUN_AGENT_ATTEMPTS =
            whole(
                    "RUN_AGENT_ATTEMPTS",
                    1,
                    RunBounds.ATTEMPTS,
                    Attempts.USUAL.agent(),
                    "Attempts of an agent whose failure_mode is retry.");

    public static final Setting RUN_AGENT_ROUNDS =
            whole(
                    "RUN_AGENT_ROUNDS",
                    1,
                    10_000,
                    Attempts.USUAL.rounds(),
                    "Rounds of planning that an agent may ask for.");

    public static final Setting RUN_STEP_OUTPUT_BYTES =
            whole(
                    "RUN_STEP_OUTPUT_BYTES",
                    1,
                    1_024 * 1_024 * 1_024,
                    RunTuning.STEP_OUTPUT_BYTES,
                    "Bytes that a step may write while it is under way.");

    public static final Setting RUN_DRIVERS =
            whole(
                    "RUN_DRIVERS",
                    1,
                    DRIVERS_MAX,
                    Drivers.USUAL.places(),
                    "Runs that this server drives at once. Others wait.");

    public static final Setting RUN_DRIVERS_PER_ACCOUNT =
            whole(
                    "RUN_DRIVERS_PER_ACCOUNT",
                    1,
                    DRIVERS_MAX,
                    Drivers.USUAL.perAccount(),
                    "How many of them may be of one account, so that no account has all places.");

    public static final Setting RUN_RETENTION_DAYS =
            Setting.of(
                    "RUN_RETENTION_DAYS",
                    new Whole(1, 36_500),
                    null,
                    "Days for which a run is kept after its end. If not set, runs are kept for"
                            + " ever. The ledger is always kept.");

    public static final Setting RUN_CREDITS_PER_TOKEN =
            Setting.of(
                    "RUN_CREDITS_PER_TOKEN",
                    // Nothing costs nothing: a run without a reservation cannot start.
                    new Decimal(0.000_001, 1_000),
                    PRICES.perToken().toPlainString(),
                    "Credits that a token costs which a step reports, and that are reserved for"
                            + " each of max_tokens.");

    public static final Setting RUN_CREDITS_PER_STEP =
            Setting.of(
                    "RUN_CREDITS_PER_STEP",
                    new Decimal(0, 1_000_000),
                    PRICES.minimumPerStep().toPlainString(),
                    "The least that a completed step costs.");

    public static final Setting RUN_CREDITS_PER_ATTEMPT =
            Setting.of(
                    "RUN_CREDITS_PER_ATTEMPT",
                    new Decimal(0, 1_000_000_000),
                    PRICES.minimumPerAttempt().toPlainString(),
                    "Credits that must be available before a run is tried once more.");

    public static final Setting RUN_CREDITS_INITIAL =
            whole(
                    "RUN_CREDITS_INITIAL",
                    0,
                    CREDITS_MAX,
                    InitialGrants.DEFAULT.others().longValue(),
                    "Credits that an account gets once, when they are first looked at.");

    public static final Setting RUN_CREDITS_OPERATOR =
            whole(
                    "RUN_CREDITS_OPERATOR",
                    0,
                    CREDITS_MAX,
                    InitialGrants.DEFAULT.operator().longValue(),
                    "The same for the account local, which belongs to whoever runs the server.");

    public static final List<Setting> ALL =
            List.of(
                    RUN_ATTEMPTS,
                    RUN_AGENTS,
                    RUN_REPLANS,
                    RUN_TOKENS,
                    RUN_TASKS_AT_ONCE,
                    RUN_STEPS_AT_ONCE,
                    RUN_STEP_ATTEMPTS,
                    RUN_TASK_ATTEMPTS,
                    RUN_AGENT_ATTEMPTS,
                    RUN_AGENT_ROUNDS,
                    RUN_STEP_OUTPUT_BYTES,
                    RUN_DRIVERS,
                    RUN_DRIVERS_PER_ACCOUNT,
                    RUN_RETENTION_DAYS,
                    RUN_CREDITS_PER_TOKEN,
                    RUN_CREDITS_PER_STEP,
                    RUN_CREDITS_PER_ATTEMPT,
                    RUN_CREDITS_INITIAL,
                    RUN_CREDITS_OPERATOR);

    static Bounds usual(Settings settings) {
        return new Bounds(
                settings.whole(RUN_ATTEMPTS),
                settings.whole(RUN_AGENTS),
                settings.whole(RUN_REPLANS),
                settings.whole(RUN_TOKENS),
                settings.whole(RUN_TASKS_AT_ONCE),
                settings.whole(RUN_STEPS_AT_ONCE),
                TimeSetting.timeouts(settings));
    }

    static Attempts attempts(Settings settings) {
        return new Attempts(
                settings.whole(RUN_STEP_ATTEMPTS),
                settings.whole(RUN_TASK_ATTEMPTS),
                settings.whole(RUN_AGENT_ATTEMPTS),
                settings.whole(RUN_AGENT_ROUNDS));
    }

    static Prices prices(Settings settings) {
        return new Prices(
                decimal(settings, RUN_CREDITS_PER_TOKEN),
                decimal(settings, RUN_CREDITS_PER_STEP),
                decimal(settings, RUN_CREDITS_PER_ATTEMPT));
    }

    /// As it was checked: a decimal may be written in more ways than one.
    private static BigDecimal decimal(Settings settings, Setting setting) {
        return new BigDecimal(
                BigDecimal.valueOf(Double.parseDouble(settings.text(setting)))
                        .stripTrailingZeros()
                        .toPlainString());
    }

    static InitialGrants grants(Settings settings) {
        return new InitialGrants(
                new BigDecimal(settings.whole(RUN_CREDITS_OPERATOR)),
                new BigDecimal(settings.whole(RUN_CREDITS_INITIAL)));
    }

    static Drivers drivers(Settings settings) {
        return new Drivers(settings.whole(RUN_DRIVERS), settings.whole(RUN_DRIVERS_PER_ACCOUNT));
    }

    static @Nullable Duration kept(Settings settings) {
        return settings.find(RUN_RETENTION_DAYS) == null
                ? null
                : Duration.ofDays(settings.whole(RUN_RETENTION_DAYS));
    }
}
