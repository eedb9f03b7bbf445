package io.orchestrion.server.runs.tuning;

import io.orchestrion.runs.engine.RunsOptions.AfterOutage;
import io.orchestrion.runs.engine.RunsOptions.Heart;
import io.orchestrion.runs.run.Timeouts;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// The settings of the clocks of runs. A run keeps the times that it was made with.
public final class TimeSetting {
    private TimeSetting() {}

    private static final int SECOND_MS = 1_000;
    private static final int YEAR = 366 * 24 * 3_600;

    private static Setting seconds(String name, long usualMs, String meaning) {
        return Setting.of(name, new Whole(1, YEAR), String.valueOf(usualMs / SECOND_MS), meaning);
    }

    public static final Setting RUN_PENDING_TIMEOUT_SECONDS =
            seconds(
                    "RUN_PENDING_TIMEOUT_SECONDS",
                    Timeouts.USUAL.pendingMs(),
                    "How long a started run may wait to be picked up before it fails. A run may ask"
                            + " for another time, as for those below.");

    public static final Setting RUN_RUNNING_TIMEOUT_SECONDS =
            seconds(
                    "RUN_RUNNING_TIMEOUT_SECONDS",
                    Timeouts.USUAL.runningMs(),
                    "How long an attempt of a run may be running before it fails. Pauses do not"
                            + " count. Runs that take longer are listed as stuck.");

    public static final Setting RUN_PAUSED_TIMEOUT_SECONDS =
            seconds(
                    "RUN_PAUSED_TIMEOUT_SECONDS",
                    Timeouts.USUAL.pausedMs(),
                    "How long a run may be paused before it is cancelled.");

    public static final Setting RUN_RESUMING_TIMEOUT_SECONDS =
            seconds(
                    "RUN_RESUMING_TIMEOUT_SECONDS",
                    Timeouts.USUAL.resumingMs(),
                    "How long a run may be resuming before it fails.");

    public static final Setting RUN_RETRYING_TIMEOUT_SECONDS =
            seconds(
                    "RUN_RETRYING_TIMEOUT_SECONDS",
                    Timeouts.USUAL.retryingMs(),
                    "How long a run may wait for its next attempt before it fails.");

    public static final Setting RUN_AGENT_TIMEOUT_SECONDS =
            seconds(
                    "RUN_AGENT_TIMEOUT_SECONDS",
                    Timeouts.USUAL.agentMs(),
                    "How long an agent may be running before it fails.");

    public static final Setting RUN_TASK_TIMEOUT_SECONDS =
            seconds(
                    "RUN_TASK_TIMEOUT_SECONDS",
                    Timeouts.USUAL.taskMs(),
                    "How long a task of an agent may be running before it fails.");

    public static final Setting RUN_STEP_TIMEOUT_SECONDS =
            seconds(
                    "RUN_STEP_TIMEOUT_SECONDS",
                    Timeouts.USUAL.stepMs(),
                    "How long a worker may take for a step that names no timeout_ms.");

    public static final Setting RUN_PLANNING_TIMEOUT_SECONDS =
            seconds(
                    "RUN_PLANNING_TIMEOUT_SECONDS",
                    Timeouts.USUAL.planningMs(),
                    "How long whoever plans a run or an agent may take.");

    public static final Setting RUN_HEARTBEAT_SECONDS =
            Setting.of(
                    "RUN_HEARTBEAT_SECONDS",
                    new Whole(1, 3_600),
                    String.valueOf(Heart.USUAL.beatEvery().toSeconds()),
                    "How often a server notes that it drives its runs.");

    public static final Setting RUN_HEARTBEAT_TIMEOUT_SECONDS =
            Setting.of(
                    "RUN_HEARTBEAT_TIMEOUT_SECONDS",
                    new Whole(2, 86_400),
                    String.valueOf(Heart.USUAL.limit().toSeconds()),
                    "A running run that no server has noted for longer fails. At least twice"
                            + " run-heartbeat-seconds, and the same on all servers of a"
                            + " database.");

    public static final Setting RUN_AFTER_OUTAGE =
            Setting.of(
                    "RUN_AFTER_OUTAGE",
                    new Choice(
                            Arrays.stream(AfterOutage.values())
                                    .map(each -> each.name().toLowerCase(Locale.ROOT))
                                    .toList()),
                    "fail",
                    "What becomes of running runs when a server starts and nobody has driven them"
                            + " for longer than that: they fail and can be retried, or they go"
                            + " on.");

    public static final List<Setting> ALL =
            List.of(
                    RUN_PENDING_TIMEOUT_SECONDS,
                    RUN_RUNNING_TIMEOUT_SECONDS,
                    RUN_PAUSED_TIMEOUT_SECONDS,
                    RUN_RESUMING_TIMEOUT_SECONDS,
                    RUN_RETRYING_TIMEOUT_SECONDS,
                    RUN_AGENT_TIMEOUT_SECONDS,
                    RUN_TASK_TIMEOUT_SECONDS,
                    RUN_STEP_TIMEOUT_SECONDS,
                    RUN_PLANNING_TIMEOUT_SECONDS,
                    RUN_HEARTBEAT_SECONDS,
                    RUN_HEARTBEAT_TIMEOUT_SECONDS,
                    RUN_AFTER_OUTAGE);

    /// What is wrong with the settings together; null when nothing is.
    static @Nullable String fault(Settings settings) {
        return settings.whole(RUN_HEARTBEAT_TIMEOUT_SECONDS)
                        < 2 * settings.whole(RUN_HEARTBEAT_SECONDS)
                ? RUN_HEARTBEAT_TIMEOUT_SECONDS.key()
                        + " must be at least twice "
                        + RUN_HEARTBEAT_SECONDS.key()
                : null;
    }

    static Timeouts timeouts(Settings settings) {
        return new Timeouts(
                millis(settings, RUN_PENDING_TIMEOUT_SECONDS),
                millis(settings, RUN_RUNNING_TIMEOUT_SECONDS),
                millis(settings, RUN_PAUSED_TIMEOUT_SECONDS),
                millis(settings, RUN_RESUMING_TIMEOUT_SECONDS),
                millis(settings, RUN_RETRYING_TIMEOUT_SECONDS),
                millis(settings, RUN_AGENT_TIMEOUT_SECONDS),
                millis(settings, RUN_TASK_TIMEOUT_SECONDS),
                millis(settings, RUN_STEP_TIMEOUT_SECONDS),
                millis(settings, RUN_PLANNING_TIMEOUT_SECONDS));
    }

    private static long millis(Settings settings, Setting seconds) {
        return (long) settings.whole(seconds) * SECOND_MS;
    }

    static Heart heart(Settings settings) {
        return new Heart(
                Duration.ofSeconds(settings.whole(RUN_HEARTBEAT_SECONDS)),
                Duration.ofSeconds(settings.whole(RUN_HEARTBEAT_TIMEOUT_SECONDS)),
                AfterOutage.valueOf(settings.text(RUN_AFTER_OUTAGE).toUpperCase(Locale.ROOT)));
    }
}
