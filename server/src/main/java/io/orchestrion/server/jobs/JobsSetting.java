package io.orchestrion.server.jobs;

import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.work.Backoff;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.settings.Setting;
import io.orchestrion.server.settings.SettingKind.Choice;
import io.orchestrion.server.settings.SettingKind.Decimal;
import io.orchestrion.server.settings.SettingKind.Numbers;
import io.orchestrion.server.settings.SettingKind.Some;
import io.orchestrion.server.settings.SettingKind.Text;
import io.orchestrion.server.settings.SettingKind.Whole;
import io.orchestrion.server.settings.Settings;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.stream.Collectors;

/// The settings of the jobs door, and how they are read. An invalid value is reported by the door
/// itself, and does not keep the server from starting.
public final class JobsSetting {
    private JobsSetting() {}

    public static final Setting JOBS_RUNNERS =
            Setting.of(
                    "JOBS_RUNNERS",
                    new Whole(0, 256),
                    "1",
                    "Jobs that the runner inside the server runs at once. With 0 the server runs"
                            + " none, and runners are separate processes (orchestrion runner).");

    public static final Setting JOBS_HANDLERS =
            Setting.of(
                            "JOBS_HANDLERS",
                            new Text("FOLDER", "a folder"),
                            null,
                            "Folder of jar files with handlers for real work, for the runner inside"
                                    + " the server.")
                    .asPath()
                    .forRunners();

    public static final Setting JOBS_TYPES =
            Setting.of(
                    "JOBS_TYPES",
                    new Some(List.of("EXECUTE", "DEFERRED", "EMIT_EVENT")),
                    "EXECUTE,DEFERRED,EMIT_EVENT",
                    "Types of jobs that clients may submit.");

    public static final Setting JOBS_MAX_RETRIES =
            Setting.of(
                            "JOBS_MAX_RETRIES",
                            new Whole(0, 100),
                            "3",
                            "How often a failed job may be retried.")
                    .forRunners();

    public static final Setting JOBS_BACKOFF_BASE_MILLIS =
            Setting.of(
                            "JOBS_BACKOFF_BASE_MILLIS",
                            new Whole(1, 3_600_000),
                            "1000",
                            "Wait before the first retry of a job, with some jitter. Each further"
                                    + " wait is twice as long.")
                    .forRunners();

    public static final Setting JOBS_BACKOFF_MAX_MILLIS =
            Setting.of(
                            "JOBS_BACKOFF_MAX_MILLIS",
                            new Whole(1, 86_400_000),
                            "60000",
                            "Longest wait before a retry of a job.")
                    .notLessThan(JOBS_BACKOFF_BASE_MILLIS)
                    .forRunners();

    public static final Setting JOBS_MAX_RUNTIME_SECONDS =
            Setting.of(
                            "JOBS_MAX_RUNTIME_SECONDS",
                            new Whole(1, 86_400),
                            "120",
                            "Longest time for which one attempt of a job may run.")
                    .forRunners();

    public static final Setting JOBS_FAILURE_PROBABILITY =
            Setting.of(
                    "JOBS_FAILURE_PROBABILITY",
                    new Decimal(0, 1),
                    "0.2",
                    "Probability that a job fails which does not say what it simulates.");

    public static final Setting JOBS_TIME_SCALE =
            Setting.of(
                            "JOBS_TIME_SCALE",
                            new Decimal(0.0001, 1),
                            "1",
                            "Factor for the duration of simulated work. Tests use less than 1.")
                    .forRunners();

    public static final Setting JOBS_MAX_ACTIVE =
            Setting.of(
                            "JOBS_MAX_ACTIVE",
                            new Whole(1, 100_000),
                            "1000",
                            "Jobs that may be assigned or running at once, over all clients and"
                                    + " servers. Further jobs wait.")
                    .forRunners();

    public static final Setting JOBS_MAX_QUEUED =
            Setting.of(
                            "JOBS_MAX_QUEUED",
                            new Whole(1, 10_000_000),
                            "100000",
                            "Jobs that may wait, over all clients and servers. Further ones are"
                                    + " answered with 503 and Retry-After.")
                    .forRunners();

    public static final Setting JOBS_FAIR_SHARE =
            Setting.of(
                            "JOBS_FAIR_SHARE",
                            new Whole(0, 100_000),
                            "0",
                            "Jobs of one client that may be active while jobs of another client"
                                    + " wait. 0 means strictly first in, first out.")
                    .forRunners();

    public static final Setting JOBS_PAYLOAD_BYTES =
            Setting.of(
                    "JOBS_PAYLOAD_BYTES",
                    new Whole(2, 262_144),
                    "262144",
                    "Largest payload of a job, in bytes.");

    public static final Setting JOBS_RETENTION_DAYS =
            Setting.of(
                            "JOBS_RETENTION_DAYS",
                            new Whole(1, 36_500),
                            "30",
                            "Days for which a job is kept after its end, with its events and"
                                    + " report.")
                    .forRunners();

    public static final Setting JOBS_REJECT_WITHOUT_RUNNERS =
            Setting.of(
                    "JOBS_REJECT_WITHOUT_RUNNERS",
                    new Choice(List.of("true", "false")),
                    "false",
                    "Whether jobs are refused while no runner is connected. Otherwise they wait.");

    public static final Setting JOBS_REQUEST_TIMEOUT_MILLIS =
            Setting.of(
                    "JOBS_REQUEST_TIMEOUT_MILLIS",
                    new Whole(10, 600_000),
                    "30000",
                    "Longest time a request to the jobs door may take. After that nothing is done,"
                            + " and the answer is 504.");

    public static final Setting JOBS_REQUESTS_PER_MINUTE =
            Setting.of(
                    "JOBS_REQUESTS_PER_MINUTE",
                    new Whole(1, 1_000_000),
                    "1200",
                    "Requests that one client may send to the jobs door in a minute.");

    public static final Setting JOBS_REQUESTS_PER_DAY =
            Setting.of(
                    "JOBS_REQUESTS_PER_DAY",
                    new Whole(1, 1_000_000_000),
                    "500000",
                    "Requests that one client may send to the jobs door in a day.");

    public static final Setting JOBS_CLIENT_LIMITS =
            Setting.of(
                    "JOBS_CLIENT_LIMITS",
                    new Numbers(1, 1_000_000),
                    null,
                    "Requests in a minute for clients with a limit of their own, by the id of the"
                            + " client.");

    public static final Setting JOBS_CLIENTS_PER_HOUR =
            Setting.of(
                    "JOBS_CLIENTS_PER_HOUR",
                    new Whole(1, 1_000_000),
                    "200",
                    "Clients that may be created from one address in an hour.");

    public static final Setting JOBS_KEY_DAYS =
            Setting.of(
                    "JOBS_KEY_DAYS",
                    new Whole(1, 3650),
                    "90",
                    "Days for which a client's key is valid. It must be renewed before they are"
                            + " over.");

    public static final List<Setting> ALL =
            List.of(
                    JOBS_RUNNERS,
                    JOBS_HANDLERS,
                    JOBS_TYPES,
                    JOBS_MAX_RETRIES,
                    JOBS_BACKOFF_BASE_MILLIS,
                    JOBS_BACKOFF_MAX_MILLIS,
                    JOBS_MAX_RUNTIME_SECONDS,
                    JOBS_FAILURE_PROBABILITY,
                    JOBS_TIME_SCALE,
                    JOBS_MAX_ACTIVE,
                    JOBS_MAX_QUEUED,
                    JOBS_FAIR_SHARE,
                    JOBS_PAYLOAD_BYTES,
                    JOBS_RETENTION_DAYS,
                    JOBS_REJECT_WITHOUT_RUNNERS,
                    JOBS_REQUEST_TIMEOUT_MILLIS,
                    JOBS_REQUESTS_PER_MINUTE,
                    JOBS_REQUESTS_PER_DAY,
                    JOBS_CLIENT_LIMITS,
                    JOBS_CLIENTS_PER_HOUR,
                    JOBS_KEY_DAYS);

    /// How far a backoff may be from its formula, as a share of it.
    private static final double JITTER = JobsOptions.DEFAULT.backoff().jitter();

    /// What is set of the door; with a fault in it when something is invalid.
    public static JobsSettings read(Settings settings) {
        List<String> faults = settings.faults(JobsDoor.NAME);
        String folder = settings.find(JOBS_HANDLERS);
        var read =
                new JobsSettings(
                        faults.isEmpty() ? engine(settings) : JobsOptions.DEFAULT,
                        Duration.ofMillis(settings.whole(JOBS_REQUEST_TIMEOUT_MILLIS)),
                        Duration.ofDays(settings.whole(JOBS_KEY_DAYS)),
                        new JobsSettings.Running(
                                faults.isEmpty() ? settings.whole(JOBS_RUNNERS) : 0,
                                folder == null ? null : Path.of(folder)),
                        null);
        return faults.isEmpty()
                ? read
                : read.broken(
                        faults.stream().collect(Collectors.joining("; ", "", "."))
                                + " The jobs door does nothing until this is mended.");
    }

    private static JobsOptions engine(Settings settings) {
        return new JobsOptions(
                Some.read(settings.text(JOBS_TYPES)).stream()
                        .map(JobType::valueOf)
                        .collect(Collectors.toSet()),
                settings.whole(JOBS_MAX_RETRIES),
                new Backoff(
                        Duration.ofMillis(settings.whole(JOBS_BACKOFF_BASE_MILLIS)),
                        Duration.ofMillis(settings.whole(JOBS_BACKOFF_MAX_MILLIS)),
                        JITTER),
                Duration.ofSeconds(settings.whole(JOBS_MAX_RUNTIME_SECONDS)),
                settings.whole(JOBS_MAX_ACTIVE),
                settings.whole(JOBS_MAX_QUEUED),
                settings.whole(JOBS_PAYLOAD_BYTES),
                settings.whole(JOBS_FAIR_SHARE),
                settings.text(JOBS_REJECT_WITHOUT_RUNNERS).equals("true"),
                Double.parseDouble(settings.text(JOBS_FAILURE_PROBABILITY)),
                Double.parseDouble(settings.text(JOBS_TIME_SCALE)));
    }

    /// How long a job is kept after its end.
    public static Duration retention(Settings settings) {
        return Duration.ofDays(settings.whole(JOBS_RETENTION_DAYS));
    }

    /// The limits of the door in the place of those that are published.
    public static RateLimits limits(Settings settings, RateLimits limits) {
        String own = settings.find(JOBS_CLIENT_LIMITS);
        Map<UUID, Integer> ofClients =
                own == null || !settings.faults(JobsDoor.NAME).isEmpty() ? null : Numbers.read(own);
        return limits.with(
                        Map.of(
                                JobsLimits.JOBS,
                                settings.whole(JOBS_REQUESTS_PER_MINUTE),
                                JobsLimits.QUOTA,
                                settings.whole(JOBS_REQUESTS_PER_DAY),
                                JobsLimits.CLIENTS,
                                settings.whole(JOBS_CLIENTS_PER_HOUR)))
                .withClients(ofClients == null ? Map.of() : ofClients);
    }
}
