package io.orchestrion.postgres;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;
import java.util.regex.Pattern;

/// Where the embedded PostgreSQL lives and how it is run.
///
/// @param dataFolder holds the database and everything about it; created when missing
/// @param binariesFolder where the server's programs are unpacked, one folder a version, shared
///     between data folders
/// @param settings `postgresql.conf` settings that override ours
/// @param startTimeout how long a start, crash recovery included, may take
/// @param durable `false` only for tests: no fsync, so a power cut loses or corrupts the data
/// @param progress told human lines such as "unpacking PostgreSQL 18.6"
public record PostgresOptions(
        Path dataFolder,
        Path binariesFolder,
        Map<String, String> settings,
        Duration startTimeout,
        boolean durable,
        Consumer<String> progress) {

    private static final Pattern SETTING_NAME = Pattern.compile("[a-z_][a-z0-9_.]*");

    // The supervisor finds, adopts and stops the server by these; a stranger's value would blind
    // it.
    private static final Set<String> OURS =
            Set.of(
                    "port",
                    "listen_addresses",
                    "unix_socket_directories",
                    "cluster_name",
                    "update_process_title",
                    "data_directory",
                    "config_file",
                    "hba_file",
                    "external_pid_file",
                    "logging_collector",
                    "log_destination");

    public PostgresOptions {
        dataFolder = dataFolder.toAbsolutePath().normalize();
        binariesFolder = binariesFolder.toAbsolutePath().normalize();
        settings = Map.copyOf(settings);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            if (!SETTING_NAME.matcher(setting.getKey()).matches()) {
                throw new IllegalArgumentException(
                        "not a PostgreSQL setting name: " + setting.getKey());
            }
            if (OURS.contains(setting.getKey())) {
                throw new IllegalArgumentException(
                        "the setting "
                                + setting.getKey()
                                + " belongs to the supervisor and cannot be changed");
            }
            if (setting.getValue().chars().anyMatch(c -> c < ' ')) {
                throw new IllegalArgumentException(
                        "control character in setting " + setting.getKey());
            }
        }
        if (startTimeout.isNegative() || startTimeout.isZero()) {
            throw new IllegalArgumentException("startTimeout must be positive: " + startTimeout);
        }
    }

    /// Durable, in `dataFolder`, with the programs in the user's cache folder so that projects
    /// share one copy.
    public static PostgresOptions in(Path dataFolder) {
        Path binaries =
                Path.of(System.getProperty("user.home", "."), ".cache", "orchestrion", "postgres");
        // Two minutes: redo of a full max_wal_size took seconds, and a slow disk deserves patience.
        return new PostgresOptions(
                dataFolder, binaries, Map.of(), Duration.ofMinutes(2), true, _ -> {});
    }

    public PostgresOptions withBinariesFolder(Path folder) {
        return new PostgresOptions(dataFolder, folder, settings, startTimeout, durable, progress);
    }

    public PostgresOptions withSettings(Map<String, String> overrides) {
        return new PostgresOptions(
                dataFolder, binariesFolder, overrides, startTimeout, durable, progress);
    }

    public PostgresOptions withStartTimeout(Duration timeout) {
        return new PostgresOptions(
                dataFolder, binariesFolder, settings, timeout, durable, progress);
    }

    public PostgresOptions withDurable(boolean yes) {
        return new PostgresOptions(
                dataFolder, binariesFolder, settings, startTimeout, yes, progress);
    }

    public PostgresOptions withProgress(Consumer<String> listener) {
        return new PostgresOptions(
                dataFolder, binariesFolder, settings, startTimeout, durable, listener);
    }
}
