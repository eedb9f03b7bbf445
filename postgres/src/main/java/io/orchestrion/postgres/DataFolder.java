package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/// The folder that holds one database: `pg/` (PGDATA), `owner.lock`, `postgres.password`,
/// `postgres.log`, `ballast`. Everything here happens under the owner lock.
final class DataFolder {
    private static final Logger LOG = LoggerFactory.getLogger(DataFolder.class);

    static final String USER = "orchestrion";

    // A fresh cluster takes 40 MB and its first WAL segments; the rest is room to breathe.
    private static final long NEW_FOLDER_BYTES = 256L << 20;
    private static final String INITIALIZING = "init-";
    private static final Duration HAND_OVER = Duration.ofSeconds(30);

    private final Path folder;
    private final PrivilegeDrop drop;
    private final ServerLog log;
    private final DataVolume volume;

    private DataFolder(Path folder, PrivilegeDrop drop) {
        this.folder = folder;
        this.drop = drop;
        this.log = new ServerLog(folder.resolve("postgres.log"));
        this.volume = new DataVolume(folder);
    }

    /// Creates the folder when it is missing. Where the server runs as another user it may pass
    /// through, not look in.
    static DataFolder create(Path folder, PrivilegeDrop drop) throws PostgresStartException {
        try {
            Folders.create(folder, drop.changesUser() ? "rwx--x--x" : "rwx------");
            return new DataFolder(folder.toRealPath(), drop);
        } catch (IOException e) {
            throw Failures.notWritable(folder, e);
        }
    }

    Path path() {
        return folder;
    }

    Path pgData() {
        return folder.resolve("pg");
    }

    ServerLog log() {
        return log;
    }

    DataVolume volume() {
        return volume;
    }

    /// Names the server in process titles, so that its processes can be told from another server's.
    String clusterName() {
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256")
                            .digest(pgData().toString().getBytes(StandardCharsets.UTF_8));
            return "orchestrion-" + HexFormat.of().formatHex(hash, 0, 8);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    /// Refuses what cannot work, before anything is changed.
    void check(String major) throws PostgresStartException {
        boolean existing = exists();
        if (existing) {
            checkVersion(major);
        }
        checkRoom(existing);
    }

    private boolean exists() throws PostgresStartException {
        if (Files.exists(pgData().resolve("PG_VERSION"))) {
            return true;
        }
        try {
            if (Files.exists(pgData())) {
                try (Stream<Path> content = Files.list(pgData())) {
                    if (content.findAny().isPresent()) {
                        throw new PostgresStartException(
                                Reason.FAILED,
                                pgData()
                                        + " is not empty and not a PostgreSQL data folder (no"
                                        + " PG_VERSION in it); move it away or choose another data"
                                        + " folder");
                    }
                }
            }
            return false;
        } catch (IOException e) {
            throw Failures.notWritable(pgData(), e);
        }
    }

    private void checkVersion(String major) throws PostgresStartException {
        try {
            String found = Files.readString(pgData().resolve("PG_VERSION")).strip();
            if (!found.equals(major)) {
                throw new PostgresStartException(
                        Reason.WRONG_VERSION,
                        pgData()
                                + " was written by PostgreSQL "
                                + found
                                + " and this build brings PostgreSQL "
                                + major
                                + "; dump it with the old version and load it into a new data"
                                + " folder, or use pg_upgrade");
            }
        } catch (IOException e) {
            throw Failures.notWritable(pgData().resolve("PG_VERSION"), e);
        }
    }

    private void checkRoom(boolean existing) throws PostgresStartException {
        Optional<DataVolume.Reading> read = volume.read();
        if (read.isEmpty()) {
            return;
        }
        // Recovery has to write; what the ballast leaves is enough for it.
        long needed =
                existing ? DataVolume.ballastBytes(read.get().totalBytes()) : NEW_FOLDER_BYTES;
        long free = read.get().freeBytes();
        if (free < needed && volume.throwOff()) {
            free = volume.read().map(DataVolume.Reading::freeBytes).orElse(free);
        }
        if (free < needed) {
            throw new PostgresStartException(
                    Reason.NO_DISK,
                    "only "
                            + (free >> 20)
                            + " MB are free where "
                            + folder
                            + " lies and PostgreSQL needs at least "
                            + (needed >> 20)
                            + " MB to start; free some space");
        }
    }

    /// Makes the database cluster when there is none, and hands it to the user the server runs as.
    void prepare(Binaries binaries, PostgresOptions options) throws PostgresStartException {
        try {
            deleteLeftovers();
            if (!exists()) {
                initialize(binaries, options);
            }
            handOver();
            // PostgreSQL refuses a folder that others can enter, and copying a folder often opens
            // it.
            Set<PosixFilePermission> closed = PosixFilePermissions.fromString("rwx------");
            if (!Files.getPosixFilePermissions(pgData()).equals(closed)) {
                Files.setPosixFilePermissions(pgData(), closed);
            }
            if (options.durable()) {
                volume.keepBallast();
            }
        } catch (IOException e) {
            throw Failures.notWritable(folder, e);
        }
        // Asked from inside the folder: whether the way to it is open is another question, with
        // another answer.
        if (!drop.may("-w", Path.of("."), pgData())) {
            throw new PostgresStartException(
                    Reason.NOT_WRITABLE,
                    pgData()
                            + " belongs to user "
                            + owner()
                            + " and cannot be written by user "
                            + drop.userName()
                            + ", who runs PostgreSQL; start as the user that created it, or change"
                            + " its owner with chown -R");
        }
    }

    /// A folder that another user's server has used is that of ours now. One that still runs there
    /// could not reach its own files any more, so it ends first.
    private void handOver() throws IOException {
        if (drop.owns(pgData())) {
            return;
        }
        Processes before = new Processes(pgData().toRealPath(), clusterName());
        for (String signal : List.of("INT", "KILL")) {
            before.ours().forEach(pid -> before.signal(pid, signal));
            if (Processes.await(HAND_OVER, () -> before.ours().isEmpty())) {
                break;
            }
        }
        drop.own(pgData());
    }

    private String owner() {
        try {
            return Files.getOwner(pgData(), LinkOption.NOFOLLOW_LINKS).getName();
        } catch (IOException e) {
            return "unknown";
        }
    }

    /// What PostgreSQL is told its data folder is: the real path where its user can walk there,
    /// else the way around described in `PrivilegeDrop`.
    String argument() {
        return !drop.changesUser() || drop.may("-x", pgData(), Path.of("/"))
                ? pgData().toString()
                : "/proc/self/cwd";
    }

    String password() throws PostgresStartException {
        Path file = passwordFile();
        try {
            String password = Files.readString(file, StandardCharsets.US_ASCII).strip();
            if (!password.isEmpty()) {
                return password;
            }
        } catch (java.nio.file.NoSuchFileException e) {
            // answered below, the same as an empty file
        } catch (IOException e) {
            throw Failures.notWritable(file, e);
        }
        throw new PostgresStartException(
                Reason.FAILED,
                file
                        + " is missing or empty, and the database in "
                        + pgData()
                        + " opens to that password only; restore the file from a backup");
    }

    private Path passwordFile() {
        return folder.resolve("postgres.password");
    }

    /// Into a folder of its own and renamed at the end: a crash on the way leaves nothing that
    /// looks like a database.
    private void initialize(Binaries binaries, PostgresOptions options)
            throws IOException, PostgresStartException {
        options.progress().accept("creating the database in " + folder);
        log.open();
        String password = Binaries.randomHex(32);
        writeSecret(passwordFile(), password);
        Path work = folder.resolve(INITIALIZING + Binaries.randomHex(8));
        Path data = work.resolve("data");
        try {
            Folders.create(data, "rwx------");
            writeSecret(work.resolve("password"), password);
            drop.lend(work, data);
            runInitdb(binaries, data, options.startTimeout());
            Files.move(data, pgData(), StandardCopyOption.ATOMIC_MOVE);
            Folders.syncOne(folder);
        } finally {
            discard(work);
        }
    }

    private void runInitdb(Binaries binaries, Path data, Duration timeout)
            throws IOException, PostgresStartException {
        // C.UTF-8 of the builtin provider sorts by code point and does not change with the system's
        // C library. Whoever comes upon the end of a file of the log makes the next one while all
        // commits wait: 60 to 80 ms every two seconds of load for the usual 16 MB (decision 129).
        List<String> initdb =
                List.of(
                        binaries.program("initdb").toString(),
                        "-D",
                        "/proc/self/cwd",
                        "--pwfile=../password",
                        "-E",
                        "UTF8",
                        "--locale-provider=builtin",
                        "--builtin-locale=C.UTF-8",
                        "--locale=C",
                        "--data-checksums",
                        "--wal-segsize=4",
                        "-U",
                        USER,
                        "--auth=scram-sha-256");
        long before = log.size();
        Process process = child(drop.making("KILL", initdb), data).start();
        boolean ended = false;
        try {
            ended = process.waitFor(timeout.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            if (!ended) {
                process.descendants().forEach(ProcessHandle::destroyForcibly);
                process.destroyForcibly();
            }
        }
        if (!ended || process.exitValue() != 0) {
            String what =
                    ended
                            ? "initdb ended with code " + process.exitValue()
                            : "initdb was not done within " + timeout.toSeconds() + " s";
            throw Failures.fromOutput(
                    "the database could not be created, " + what, folder, log.tail(before), null);
        }
    }

    /// A session gives the memory of each statement back, and the C library gave it on and asked
    /// again with the next one: clean pages took 6 % of the database's time (decision 125).
    private static final Map<String, String> KEPT_MEMORY =
            Map.of("MALLOC_TOP_PAD_", "1048576", "MALLOC_TRIM_THRESHOLD_", "8388608");

    /// A child of ours: in this folder, heard in the log, and with none of the JVM's environment,
    /// which may hold secrets and `PG*` variables that would change what the server does.
    ProcessBuilder child(List<String> command, Path workingFolder) {
        ProcessBuilder builder =
                new ProcessBuilder(command)
                        .directory(workingFolder.toFile())
                        .redirectErrorStream(true)
                        .redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")))
                        .redirectOutput(ProcessBuilder.Redirect.appendTo(log.file().toFile()));
        builder.environment().clear();
        builder.environment().put("PATH", "/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin");
        builder.environment().put("LC_ALL", "C");
        builder.environment().putAll(KEPT_MEMORY);
        return builder;
    }

    private void deleteLeftovers() throws IOException {
        try (DirectoryStream<Path> leftovers =
                Files.newDirectoryStream(folder, INITIALIZING + "*")) {
            for (Path leftover : leftovers) {
                discard(leftover);
            }
        }
    }

    /// The owner may have been killed a moment ago and its initdb with it, but initdb has
    /// children of its own that write until they notice. Names are never used twice, so what
    /// cannot be deleted now waits for the next start.
    private static void discard(Path work) {
        Processes writers = new Processes(work.resolve("data"), work.toString());
        boolean gone =
                Processes.await(
                        Duration.ofSeconds(5),
                        () -> {
                            writers.ours().forEach(pid -> writers.signal(pid, "KILL"));
                            try {
                                Folders.delete(work);
                                return true;
                            } catch (IOException e) {
                                return false;
                            }
                        });
        if (!gone) {
            LOG.warn("could not delete {}; the next start tries again", work);
        }
    }

    private static void writeSecret(Path file, String secret) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        try (var channel =
                Files.newByteChannel(
                        temporary,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(
                                PosixFilePermissions.fromString("rw-------")))) {
            channel.write(StandardCharsets.US_ASCII.encode(secret + "\n"));
        }
        Folders.syncOne(temporary);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /// Writes a file of the server's, whole or not at all.
    void writeServerFile(Path file, String text) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        Files.deleteIfExists(temporary);
        Files.writeString(temporary, text, StandardOpenOption.CREATE_NEW);
        Files.setPosixFilePermissions(temporary, PosixFilePermissions.fromString("rw-------"));
        drop.own(temporary);
        Folders.syncOne(temporary);
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
    }
}
