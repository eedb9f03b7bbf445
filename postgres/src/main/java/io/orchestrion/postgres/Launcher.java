package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;

/// Brings the server of one prepared data folder up, by adopting a live one or starting one, and
/// takes it down.
final class Launcher {
    private static final Logger LOG = LoggerFactory.getLogger(Launcher.class);

    // Backends of a killed postmaster hold its shared memory, and a new one refuses until they are
    // gone.
    private static final Duration BUSY_RETRY = Duration.ofSeconds(30);
    private static final Duration LEFTOVERS_GO_BY_THEMSELVES = Duration.ofSeconds(2);
    private static final Duration FAST_STOP = Duration.ofSeconds(30);
    private static final Duration IMMEDIATE_STOP = Duration.ofSeconds(5);
    // An orphan that was told to stop a moment ago still says "ready" until it has read its signal.
    private static final Duration ORPHAN_STAYS_READY = Duration.ofMillis(250);

    private final PostgresOptions options;
    private final Binaries binaries;
    private final DataFolder folder;
    private final PrivilegeDrop drop;
    private final Path pgData;
    private final Processes processes;
    private final BooleanSupplier closing;

    Launcher(
            PostgresOptions options,
            Binaries binaries,
            DataFolder folder,
            PrivilegeDrop drop,
            BooleanSupplier closing)
            throws PostgresStartException {
        this.options = options;
        this.binaries = binaries;
        this.folder = folder;
        this.drop = drop;
        this.closing = closing;
        this.pgData = folder.pgData();
        try {
            this.processes = new Processes(pgData.toRealPath(), folder.clusterName());
        } catch (IOException e) {
            throw Failures.notWritable(pgData, e);
        }
    }

    boolean alive(Postmaster postmaster) {
        return processes.isOurs(postmaster.pid());
    }

    /// The live server of this folder, if one was left behind by an earlier JVM and runs as we
    /// would run it. One with other settings (think of fsync) or of another version is stopped
    /// instead. A pid file that names nobody, a zombie or a stranger is removed; the stranger is
    /// left alone.
    Optional<Postmaster> adopt() throws PostgresStartException {
        long deadline = System.nanoTime() + options.startTimeout().toNanos();
        try {
            while (true) {
                Optional<PidFile> file = PidFile.read(pgData);
                if (file.isEmpty() || !processes.isOurs(file.get().pid())) {
                    Files.deleteIfExists(PidFile.of(pgData));
                    return Optional.empty();
                }
                PidFile orphan = file.get();
                if (orphan.ready() && !runsOurSettings()) {
                    LOG.info(
                            "PostgreSQL {} on {} runs with other settings; it is restarted",
                            orphan.pid(),
                            pgData);
                    stop(new Postmaster(orphan.pid(), orphan.port(), null));
                } else if (orphan.ready() && staysReady(orphan)) {
                    return Optional.of(new Postmaster(orphan.pid(), orphan.port(), null));
                } else if (System.nanoTime() - deadline > 0) {
                    LOG.warn(
                            "PostgreSQL {} on {} neither came up nor went away; it is stopped",
                            orphan.pid(),
                            pgData);
                    stop(new Postmaster(orphan.pid(), orphan.port(), null));
                } else {
                    // Coming up or going down: either ends by itself.
                    Processes.await(Duration.ofMillis(50), () -> !processes.isOurs(orphan.pid()));
                }
            }
        } catch (IOException e) {
            throw Failures.notWritable(PidFile.of(pgData), e);
        }
    }

    private boolean staysReady(PidFile orphan) throws IOException {
        Processes.await(ORPHAN_STAYS_READY, () -> !processes.isOurs(orphan.pid()));
        return processes.isOurs(orphan.pid()) && PidFile.read(pgData).equals(Optional.of(orphan));
    }

    private boolean runsOurSettings() throws IOException {
        Path file = settingsFile();
        return Files.exists(file)
                && Files.readString(file, StandardCharsets.UTF_8).equals(settings());
    }

    private String settings() {
        return ServerSettings.text(
                options,
                binaries,
                folder.volume().read().map(DataVolume.Reading::totalBytes).orElse(Long.MAX_VALUE));
    }

    private Path settingsFile() {
        return pgData.resolve("postgresql.conf");
    }

    /// Starts a server, on this port when one is given, and returns when it takes connections.
    Postmaster start(OptionalInt fixedPort) throws PostgresStartException {
        long deadline = System.nanoTime() + BUSY_RETRY.toNanos();
        while (true) {
            clearLeftovers();
            Launch launch;
            try {
                // Nobody of ours is alive, so the file is stale. PostgreSQL would see that itself,
                // unless the pid is a zombie or was given to someone else meanwhile. Its guard
                // against living backends is the shared memory and does not need the file.
                Files.deleteIfExists(PidFile.of(pgData));
                launch = launch(fixedPort.isPresent() ? fixedPort.getAsInt() : freePort());
            } catch (IOException e) {
                throw Failures.notWritable(PidFile.of(pgData), e);
            } catch (PostgresStartException e) {
                // Only once: the second time there is no ballast left.
                if (e.reason() == Reason.NO_DISK && folder.volume().throwOff()) {
                    continue;
                }
                throw e;
            }
            switch (launch) {
                case Launch.Up(Postmaster postmaster) -> {
                    return postmaster;
                }
                case Launch.Busy(PostgresStartException why) -> {
                    if (System.nanoTime() - deadline > 0 || closing.getAsBoolean()) {
                        throw why;
                    }
                    Processes.await(Duration.ofMillis(250), closing);
                }
            }
        }
    }

    private sealed interface Launch {
        record Up(Postmaster postmaster) implements Launch {}

        /// The port is taken or old backends hold the memory: both pass.
        record Busy(PostgresStartException why) implements Launch {}
    }

    private Launch launch(int port) throws PostgresStartException {
        String argument = folder.argument();
        List<String> command =
                List.of(
                        binaries.program("postgres").toString(),
                        "-D",
                        argument,
                        "-p",
                        Integer.toString(port),
                        "-c",
                        "cluster_name=" + folder.clusterName());
        ServerLog log = folder.log();
        Process process;
        long before;
        try {
            log.open();
            before = log.size();
            folder.writeServerFile(settingsFile(), settings());
            process = folder.child(drop.command("INT", command), pgData).start();
        } catch (IOException e) {
            throw Failures.notWritable(pgData, e);
        }
        Optional<Postmaster> up = awaitReady(process, port);
        if (up.isPresent()) {
            return new Launch.Up(up.get());
        }
        boolean ended = !process.isAlive();
        if (!ended) {
            abandon(process);
        }
        String words = log.tail(before);
        String what =
                ended
                        ? "PostgreSQL did not start, it ended with code " + process.exitValue()
                        : closing.getAsBoolean()
                                ? "PostgreSQL was closed while it started"
                                : "PostgreSQL was not ready within "
                                        + options.startTimeout().toSeconds()
                                        + " s";
        PostgresStartException failure = Failures.fromOutput(what, folder.path(), words, null);
        boolean passes =
                words.contains("Address already in use")
                        || words.contains("is still in use")
                        || words.contains("lock file \"postmaster.pid\" already exists");
        if (ended && passes) {
            return new Launch.Busy(failure);
        }
        throw failure;
    }

    private Optional<Postmaster> awaitReady(Process process, int port)
            throws PostgresStartException {
        long started = System.nanoTime();
        boolean told = false;
        try {
            while (!process.waitFor(5, TimeUnit.MILLISECONDS)) {
                Optional<PidFile> file = PidFile.read(pgData);
                // Under runuser the postmaster is our grandchild, so the file and not the process
                // knows the pid.
                if (file.isPresent() && file.get().ready() && processes.isOurs(file.get().pid())) {
                    return Optional.of(new Postmaster(file.get().pid(), port, process));
                }
                Duration waited = Duration.ofNanos(System.nanoTime() - started);
                if (waited.compareTo(options.startTimeout()) > 0 || closing.getAsBoolean()) {
                    return Optional.empty();
                }
                if (!told && waited.toSeconds() >= 2) {
                    told = true;
                    options.progress().accept("PostgreSQL is recovering " + folder.path());
                }
            }
            return Optional.empty();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Optional.empty();
        } catch (IOException e) {
            abandon(process);
            throw Failures.notWritable(PidFile.of(pgData), e);
        }
    }

    private void abandon(Process process) {
        stop(new Postmaster(process.pid(), 0, process));
        process.destroyForcibly();
    }

    /// Backends whose postmaster was killed notice and leave, unless they are in the middle of a
    /// long statement. Nobody can connect until they are gone, so they are not given long. What
    /// they did is in the WAL or was never committed: this is how PostgreSQL itself ends them after
    /// a crash.
    private void clearLeftovers() {
        if (Processes.await(LEFTOVERS_GO_BY_THEMSELVES, () -> processes.ours().isEmpty())) {
            return;
        }
        for (String signal : List.of("QUIT", "KILL")) {
            List<Long> left = processes.ours();
            LOG.warn(
                    "old PostgreSQL processes {} still work in {}; sending SIG{}",
                    left,
                    pgData,
                    signal);
            left.forEach(pid -> processes.signal(pid, signal));
            if (Processes.await(IMMEDIATE_STOP, () -> processes.ours().isEmpty())) {
                return;
            }
        }
    }

    /// Fast shutdown first (transactions rolled back, everything on disk), then immediate (recovery
    /// at the next start), then by force. Returns when no process of this server is left.
    void stop(Postmaster postmaster) {
        processes.signal(postmaster.pid(), "INT");
        if (!Processes.await(FAST_STOP, () -> !alive(postmaster))) {
            LOG.warn(
                    "PostgreSQL {} did not stop within {}; stopping it at once",
                    postmaster.pid(),
                    FAST_STOP);
            processes.signal(postmaster.pid(), "QUIT");
            Processes.await(IMMEDIATE_STOP, () -> !alive(postmaster));
        }
        if (!Processes.await(Duration.ofSeconds(1), () -> processes.ours().isEmpty())) {
            processes.ours().forEach(pid -> processes.signal(pid, "KILL"));
            if (!Processes.await(IMMEDIATE_STOP, () -> processes.ours().isEmpty())) {
                LOG.error(
                        "PostgreSQL processes {} on {} cannot be ended", processes.ours(), pgData);
            }
        }
    }

    /// Below the range the kernel hands out to outgoing connections. A port from inside it could be
    /// taken by a client of anything while the server restarts; worse, a client that keeps trying
    /// to reach the stopped server there can by chance be given that very port, connect to itself,
    /// and keep the server out.
    private static int freePort() {
        for (int attempt = 0; attempt < 100; attempt++) {
            int port = ThreadLocalRandom.current().nextInt(20_000, 32_000);
            if (canListen(port)) {
                return port;
            }
        }
        throw new IllegalStateException("no free port between 20000 and 32000 on 127.0.0.1");
    }

    private static boolean canListen(int port) {
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(new InetSocketAddress(InetAddress.getByName("127.0.0.1"), port));
            return true;
        } catch (IOException e) {
            return false;
        }
    }
}
