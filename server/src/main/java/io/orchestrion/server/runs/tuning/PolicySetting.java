package io.orchestrion.server.runs.tuning;

import io.orchestrion.runs.policy.PolicySettings;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/// The settings of when work of runs is repeated, when people are asked, and when another plan is
/// made.
public final class PolicySetting {
    private PolicySetting() {}

    private static final PolicySettings USUAL = PolicySettings.USUAL;
    private static final int SECOND_MS = 1_000;
    private static final int HUNDRED = 100;
    private static final double PERCENT = 100.0;
    private static final int DAY_MS = 86_400_000;
    private static final int MANY = 1_000_000;

    private static Setting whole(String name, long least, long most, long usual, String meaning) {
        return Setting.of(name, new Whole(least, most), String.valueOf(usual), meaning);
    }

    public static final Setting RUN_RETRY_DELAY_MILLIS =
            whole(
                    "RUN_RETRY_DELAY_MILLIS",
                    1,
                    DAY_MS,
                    USUAL.baseDelayMs(),
                    "Wait before the second attempt of a step, task, agent or run, and twice as"
                            + " long before each further one, give or take"
                            + " run-retry-jitter-percent.");

    public static final Setting RUN_RETRY_DELAY_MAX_MILLIS =
            whole(
                    "RUN_RETRY_DELAY_MAX_MILLIS",
                    1,
                    DAY_MS,
                    USUAL.maxDelayMs(),
                    "The longest such wait. When more is due, people are asked.");

    public static final Setting RUN_RETRY_JITTER_PERCENT =
            whole(
                    "RUN_RETRY_JITTER_PERCENT",
                    0,
                    HUNDRED - 1,
                    Math.round(USUAL.jitter() * PERCENT),
                    "The share of the wait that chance adds or takes away.");

    public static final Setting RUN_ESCALATION_WINDOW_SECONDS =
            whole(
                    "RUN_ESCALATION_WINDOW_SECONDS",
                    1,
                    DAY_MS / SECOND_MS,
                    USUAL.windowMs() / SECOND_MS,
                    "How long an error of a run counts towards an escalation.");

    public static final Setting RUN_ESCALATION_ERRORS =
            whole(
                    "RUN_ESCALATION_ERRORS",
                    0,
                    MANY,
                    USUAL.errors(),
                    "Errors of a run in that time, above which people are asked.");

    public static final Setting RUN_ESCALATION_ERROR_PERCENT =
            whole(
                    "RUN_ESCALATION_ERROR_PERCENT",
                    0,
                    HUNDRED,
                    Math.round(USUAL.errorShare() * PERCENT),
                    "The share of errors among what ended in that time, above which people are"
                            + " asked.");

    public static final Setting RUN_ESCALATION_OUTCOMES =
            whole(
                    "RUN_ESCALATION_OUTCOMES",
                    1,
                    MANY,
                    USUAL.outcomesLeast(),
                    "How much must have ended in that time before its share of errors counts.");

    public static final Setting RUN_REPLAN_AGENT_PERCENT =
            whole(
                    "RUN_REPLAN_AGENT_PERCENT",
                    0,
                    HUNDRED,
                    Math.round(USUAL.agentShare() * PERCENT),
                    "The share of the agents of a plan that may fail before another plan is made.");

    public static final Setting RUN_REPLAN_TASKS =
            whole(
                    "RUN_REPLAN_TASKS",
                    0,
                    MANY,
                    USUAL.failedTasks(),
                    "Tasks of a plan that may fail before another plan is made.");

    public static final List<Setting> ALL =
            List.of(
                    RUN_RETRY_DELAY_MILLIS,
                    RUN_RETRY_DELAY_MAX_MILLIS,
                    RUN_RETRY_JITTER_PERCENT,
                    RUN_ESCALATION_WINDOW_SECONDS,
                    RUN_ESCALATION_ERRORS,
                    RUN_ESCALATION_ERROR_PERCENT,
                    RUN_ESCALATION_OUTCOMES,
                    RUN_REPLAN_AGENT_PERCENT,
                    RUN_REPLAN_TASKS);

    private static @Nullable String fault(Settings settings) {
        return settings.whole(RUN_RETRY_DELAY_MAX_MILLIS) < settings.whole(RUN_RETRY_DELAY_MILLIS)
                ? RUN_RETRY_DELAY_MAX_MILLIS.key()
                        + " must not be less than "
                        + RUN_RETRY_DELAY_MILLIS.key()
                : null;
    }

    static PolicySettings read(Settings settings) {
        return new PolicySettings(
                settings.whole(RUN_RETRY_DELAY_MILLIS),
                settings.whole(RUN_RETRY_DELAY_MAX_MILLIS),
                settings.whole(RUN_RETRY_JITTER_PERCENT) / PERCENT,
                (long) settings.whole(RUN_ESCALATION_WINDOW_SECONDS) * SECOND_MS,
                settings.whole(RUN_ESCALATION_ERRORS),
                settings.whole(RUN_ESCALATION_ERROR_PERCENT) / PERCENT,
                settings.whole(RUN_ESCALATION_OUTCOMES),
                settings.whole(RUN_REPLAN_AGENT_PERCENT) / PERCENT,
                settings.whole(RUN_REPLAN_TASKS),
                BoundSetting.prices(settings).minimumPerAttempt());
    }

    /// What is wrong with settings of the engine that are good one by one.
    public static List<String> faults(Settings settings) {
        var faults = new ArrayList<@Nullable String>();
        faults.add(TimeSetting.fault(settings));
        faults.add(fault(settings));
        return faults.stream().filter(Objects::nonNull).map(Objects::requireNonNull).toList();
    }

    /// All that is set of the engine.
    public static RunTuning tuning(Settings settings) {
        return new RunTuning(
                BoundSetting.usual(settings),
                BoundSetting.attempts(settings),
                read(settings),
                BoundSetting.prices(settings),
                BoundSetting.grants(settings),
                TimeSetting.heart(settings),
                BoundSetting.drivers(settings),
                BoundSetting.kept(settings),
                settings.whole(BoundSetting.RUN_STEP_OUTPUT_BYTES));
    }
}
