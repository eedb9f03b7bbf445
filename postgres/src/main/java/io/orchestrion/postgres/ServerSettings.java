package io.orchestrion.postgres;

import java.lang.management.ManagementFactory;
import java.util.Map;
import java.util.TreeMap;

/// Writes `postgresql.conf`, whole, at every start: a database that holds a queue wants other
/// settings than the defaults, and a file that says why each is there can be read in an emergency.
/// What an operator changes with `alter system` lands in `postgresql.auto.conf` and survives.
final class ServerSettings {
    private static final long MEGABYTE = 1 << 20;

    private final StringBuilder text = new StringBuilder();

    private ServerSettings() {}

    /// @param volumeBytes the size of the volume that the data lies on
    static String text(PostgresOptions options, Binaries binaries, long volumeBytes) {
        ServerSettings file = new ServerSettings();
        // The programs' folder is named so that an orphan of another version counts as having other
        // settings.
        file.text
                .append("# Written by Orchestrion at every start; edits are lost. PostgreSQL ")
                .append(binaries.version())
                .append(" from ")
                .append(binaries.home())
                .append("\n\n");
        file.reachability();
        file.memory();
        if (options.durable()) {
            file.durability();
        } else {
            file.noDurability();
        }
        file.writeAhead(volumeBytes);
        file.vacuum();
        file.sessions();
        file.logging();
        file.overrides(options.settings());
        return file.text.toString();
    }

    private void reachability() {
        set("listen_addresses", "127.0.0.1", "this machine only; the port is chosen at start");
        set("unix_socket_directories", "", "one way in, with one password");
        set("password_encryption", "scram-sha-256", "never md5");
        set(
                "max_connections",
                "100",
                "pools hold tens; each one more costs memory and snapshot time");
    }

    private void memory() {
        set(
                "shared_buffers",
                sharedBuffersMegabytes() + "MB",
                "a sixteenth of RAM from 128 to 512 MB: the hot part of a queue is small");
        set("random_page_cost", "1.1", "flash and cache, so an index is as cheap as it looks");
        set("jit", "off", "statements last milliseconds; compiling them would take longer");
        set(
                "max_parallel_workers_per_gather",
                "0",
                "short statements gain nothing, and a container's /dev/shm has 64 MB");
        set("max_parallel_maintenance_workers", "0", "the same for index builds");
    }

    private void durability() {
        set("fsync", "on", "a committed task survives a power cut");
        set("synchronous_commit", "on", "committed means on disk, not soon on disk");
        set("full_page_writes", "on", "a page torn by a power cut is repaired");
    }

    private void noDurability() {
        set("fsync", "off", "TESTS ONLY: a power cut may corrupt this database");
        set("synchronous_commit", "off", "TESTS ONLY");
        set("full_page_writes", "off", "TESTS ONLY");
    }

    private void writeAhead(long volumeBytes) {
        // Neither bundled build has lz4 (asked with --configure on both).
        set("wal_compression", "pglz", "full page images shrink; lz4 is not built in");
        set("checkpoint_timeout", "15min", "fewer full page images after each checkpoint");
        long most = Math.clamp(volumeBytes / 8 / MEGABYTE, 64L, 2048L);
        set(
                "max_wal_size",
                most + "MB",
                "checkpoints by time and not by volume under load; an eighth of a small disk");
        // Never below two files of the usual size, which an older folder has.
        set(
                "min_wal_size",
                Math.max(32, most / 8) + "MB",
                "files of the log are used again, not made anew");
        set("wal_buffers", "16MB", "as with files of the usual size, which bound it");
        set("wal_level", "replica", "pg_basebackup works");
    }

    private void vacuum() {
        set("autovacuum_naptime", "10s", "a queue kills rows by the thousand; look often");
        set(
                "autovacuum_vacuum_cost_delay",
                "0",
                "finish quickly instead of politely falling behind");
        set("autovacuum_max_workers", "3", "one large table must not hold up the hot one");
    }

    private void sessions() {
        set(
                "idle_in_transaction_session_timeout",
                "10s",
                "a forgotten transaction holds locks and stops vacuum");
        set("client_connection_check_interval", "5s", "a statement of a dead client is cancelled");
        set("timezone", "UTC", "times do not depend on the machine");
    }

    private void logging() {
        set("log_timezone", "UTC", "times do not depend on the machine");
        set("log_line_prefix", "%m [%p] ", "time and process");
        set("log_error_verbosity", "terse", "details of an error hold values of rows");
        set(
                "log_min_error_statement",
                "panic",
                "statements hold payloads, and logs are no place for them");
        set("log_checkpoints", "off", "one line each quarter of an hour for years");
    }

    private void overrides(Map<String, String> settings) {
        new TreeMap<>(settings)
                .forEach((name, value) -> set(name, value, "asked for in the options"));
    }

    private void set(String name, String value, String why) {
        text.append("# ").append(why).append('\n');
        text.append(name).append(" = '").append(value.replace("'", "''")).append("'\n");
    }

    private static long sharedBuffersMegabytes() {
        long bytes = 2L << 30;
        if (ManagementFactory.getOperatingSystemMXBean()
                instanceof com.sun.management.OperatingSystemMXBean system) {
            bytes = system.getTotalMemorySize(); // the container's limit, where there is one
        }
        return Math.clamp(bytes / 16 / (1 << 20), 128L, 512L);
    }
}
