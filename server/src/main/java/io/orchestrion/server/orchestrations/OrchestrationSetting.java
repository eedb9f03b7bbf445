package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import java.time.Duration;
import java.util.List;

/// The settings of the orchestrations door, and how they are read. What is invalid shuts the door,
/// and does not keep the server from starting.
public final class OrchestrationSetting {
    private OrchestrationSetting() {}

    public static final Setting ORCHESTRATION_CALLS =
            Setting.of(
                    "ORCHESTRATION_CALLS",
                    new Whole(1, 1_000),
                    "16",
                    "HTTP calls of steps that this server makes at once. The same number of notices"
                            + " may be sent beside them.");

    public static final Setting ORCHESTRATION_CALLS_PER_ACCOUNT =
            Setting.of(
                    "ORCHESTRATION_CALLS_PER_ACCOUNT",
                    new Whole(1, 1_000),
                    "4",
                    "How many of these calls one account may use, so that no account takes all"
                            + " places.");

    public static final Setting ORCHESTRATION_DEPENDENCY_FACTOR =
            Setting.of(
                    "ORCHESTRATION_DEPENDENCY_FACTOR",
                    new Whole(1, 100),
                    String.valueOf(RetryPolicy.DEPENDENCY_FACTOR),
                    "After DEPENDENCY_FAILED a step waits this many times as long as its retry"
                        + " policy says. All servers on one database need the same value. The retry"
                        + " matrix shows it.");

    public static final Setting ORCHESTRATION_RETENTION_DAYS =
            Setting.of(
                    "ORCHESTRATION_RETENTION_DAYS",
                    new Whole(1, 36_500),
                    null,
                    "Days for which an execution is kept after its end. If not set, executions are"
                            + " kept for ever. The idempotency key of an execution is deleted with"
                            + " it.");

    public static final List<Setting> ALL =
            List.of(
                    ORCHESTRATION_CALLS,
                    ORCHESTRATION_CALLS_PER_ACCOUNT,
                    ORCHESTRATION_DEPENDENCY_FACTOR,
                    ORCHESTRATION_RETENTION_DAYS);

    /// What is set of the door; with a fault in it when something is invalid.
    public static OrchestrationSettings read(Settings settings) {
        List<String> faults = settings.faults(OrchestrationsDoor.NAME);
        return faults.isEmpty()
                ? new OrchestrationSettings(
                        settings.whole(ORCHESTRATION_CALLS),
                        settings.whole(ORCHESTRATION_CALLS_PER_ACCOUNT),
                        settings.whole(ORCHESTRATION_DEPENDENCY_FACTOR),
                        settings.find(ORCHESTRATION_RETENTION_DAYS) == null
                                ? null
                                : Duration.ofDays(settings.whole(ORCHESTRATION_RETENTION_DAYS)),
                        null)
                : OrchestrationSettings.DEFAULT.broken(
                        String.join("; ", faults)
                                + ". The orchestrations door does nothing until this is mended.");
    }
}
