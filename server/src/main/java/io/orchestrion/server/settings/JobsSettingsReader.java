package io.orchestrion.server.settings;

import io.orchestrion.jobs.JobsOptions;
import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.work.Backoff;
import io.orchestrion.server.jobs.JobsSettings;

import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;

/// The settings of the jobs door as it takes them. What is invalid is told by the door itself, and
/// does not keep the server from starting.
final class JobsSettingsReader {
    /// How far a backoff may be from its formula, as a share of it.
    private static final double JITTER = JobsOptions.DEFAULT.backoff().jitter();

    private final Function<Setting, String> text;

    /// @param text the value of a setting, each valid by itself
    JobsSettingsReader(Function<Setting, String> text) {
        this.text = text;
    }

    /// @param faults what is wrong
    JobsSettings read(List<String> faults) {
        var settings =
                new JobsSettings(
                        faults.isEmpty() ? engine() : JobsOptions.DEFAULT,
                        Duration.ofMillis(whole(Setting.JOBS_REQUEST_TIMEOUT_MILLIS)),
                        Duration.ofDays(whole(Setting.JOBS_KEY_DAYS)),
                        null);
        return faults.isEmpty()
                ? settings
                : settings.broken(
                        faults.stream().collect(Collectors.joining("; ", "", "."))
                                + " The jobs door does nothing until this is mended.");
    }

    private JobsOptions engine() {
        return new JobsOptions(
                SettingKind.Some.read(text.apply(Setting.JOBS_TYPES)).stream()
                        .map(JobType::valueOf)
                        .collect(Collectors.toSet()),
                whole(Setting.JOBS_MAX_RETRIES),
                new Backoff(
                        Duration.ofMillis(whole(Setting.JOBS_BACKOFF_BASE_MILLIS)),
                        Duration.ofMillis(whole(Setting.JOBS_BACKOFF_MAX_MILLIS)),
                        JITTER),
                Duration.ofSeconds(whole(Setting.JOBS_MAX_RUNTIME_SECONDS)),
                whole(Setting.JOBS_MAX_ACTIVE),
                whole(Setting.JOBS_MAX_QUEUED),
                whole(Setting.JOBS_PAYLOAD_BYTES),
                whole(Setting.JOBS_FAIR_SHARE),
                text.apply(Setting.JOBS_REJECT_WITHOUT_RUNNERS).equals("true"),
                Double.parseDouble(text.apply(Setting.JOBS_FAILURE_PROBABILITY)),
                Double.parseDouble(text.apply(Setting.JOBS_TIME_SCALE)));
    }

    private int whole(Setting setting) {
        return Integer.parseInt(text.apply(setting));
    }
}
