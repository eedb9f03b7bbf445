package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.OptionalInt;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The one thread that starts, watches, restarts and stops the server. It is a platform thread
/// because the kernel ties "end when your parent ends" to the thread that forked, and virtual
/// threads borrow theirs. It is a daemon, so it keeps no JVM alive; when the JVM exits without
/// closing, the server gets its signal and shuts down by itself.
final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    // Together half a minute, the time old backends are known to need at worst.
    static final List<Duration> PAUSES =
            List.of(0, 250, 500, 1_000, 2_000, 4_000, 8_000, 15_000).stream()
                    .map(Duration::ofMillis)
                    .toList();
    // A server that served this long is not in a crash loop, however often it is killed; the count
    // of restarts starts anew.
    private static final Duration PROVEN = Duration.ofSeconds(5);
    private static final Duration ADOPTED_POLL = Duration.ofMillis(100);
    private static final Duration CHILD_POLL = Duration.ofSeconds(1);

    private final PostgresOptions options;
    private final PrivilegeDrop drop;
    private final Path systemBinaries;
    private final List<Duration> pauses;
    private final Thread thread;
    private final CompletableFuture<Running> started = new CompletableFuture<>();
    private final Semaphore wake = new Semaphore(0);
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closing;
    private volatile boolean gaveUp;
    private volatile @Nullable Postmaster current;

    /// What stays the same over restarts.
    record Running(int port, String password, String version, boolean adopted) {}

    Supervisor(
            PostgresOptions options,
            PrivilegeDrop drop,
            Path systemBinaries,
            List<Duration> pauses) {
        this.options = options;
        this.drop = drop;
        this.systemBinaries = systemBinaries;
        this.pauses = pauses;
        this.thread =
                Thread.ofPlatform()
                        .daemon()
                        .name("orchestrion-postgres")
                        .unstarted(this::supervise);
    }

    Running start() throws PostgresStartException {
        thread.start();
        try {
            return started.get();
        } catch (ExecutionException e) {
            if (e.getCause() instanceof PostgresStartException failure) {
                throw failure;
            }
            throw new PostgresStartException(
                    Reason.FAILED, "PostgreSQL did not start: " + e.getCause(), e.getCause());
        } catch (InterruptedException e) {
            close();
            Thread.currentThread().interrupt();
            throw new PostgresStartException(
                    Reason.FAILED, "interrupted while PostgreSQL started", e);
        }
    }

    long pid() {
        Postmaster postmaster = current;
        return postmaster == null ? -1 : postmaster.pid();
    }

    boolean gaveUp() {
        return gaveUp;
    }

    void onRestart(Consumer<String> listener) {
        listeners.add(listener);
    }

    void close() {
        closing = true;
        wake.release();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException e) {
                interrupted =
                        true; // leaving now would leave the server running; the stop is bounded
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    private void supervise() {
        try {
            DataFolder folder = DataFolder.create(options.dataFolder(), drop);
            try (OwnerLock _ = OwnerLock.acquire(folder.path())) {
                Binaries binaries = Binaries.ready(options, drop, systemBinaries);
                folder.check(binaries.major());
                folder.prepare(binaries, options);
                String password = folder.password();
                Launcher launcher = new Launcher(options, binaries, folder, drop, () -> closing);
                Postmaster first = bringUp(launcher, OptionalInt.empty());
                current = first;
                try {
                    LOG.info(
                            "PostgreSQL {} {} as pid {} on 127.0.0.1:{}, data in {}",
                            binaries.version(),
                            first.adopted() ? "adopted" : "started",
                            first.pid(),
                            first.port(),
                            folder.pgData());
                    started.complete(
                            new Running(
                                    first.port(), password, binaries.version(), first.adopted()));
                    watch(launcher, first);
                } finally {
                    Postmaster last = current;
                    current = null;
                    launcher.stop(last == null ? first : last);
                }
            }
        } catch (PostgresStartException | RuntimeException | Error e) {
            if (!started.completeExceptionally(e)) {
                LOG.error("PostgreSQL is no longer supervised", e);
            }
        }
    }

    private Postmaster bringUp(Launcher launcher, OptionalInt port) throws PostgresStartException {
        var orphan = launcher.adopt();
        return orphan.isPresent() ? orphan.get() : launcher.start(port);
    }

    private void watch(Launcher launcher, Postmaster first) {
        Postmaster postmaster = first;
        int crashes = 0;
        while (true) {
            long up = System.nanoTime();
            awaitEnd(launcher, postmaster);
            if (closing) {
                return;
            }
            crashes = System.nanoTime() - up > PROVEN.toNanos() ? 0 : crashes;
            current = null;
            String ending = postmaster.ending();
            LOG.error("{}; restarting it", ending);
            long down = System.nanoTime();
            @Nullable Postmaster next = null;
            while (next == null && crashes < pauses.size() && !closing) {
                Processes.await(pauses.get(crashes), () -> closing);
                crashes++;
                next = restart(launcher, postmaster.port());
            }
            if (closing) {
                current = next;
                return;
            }
            if (next == null) {
                giveUp(ending);
                return;
            }
            current = next;
            postmaster = next;
            tell(
                    ending
                            + "; restarted as pid "
                            + next.pid()
                            + " after "
                            + TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - down)
                            + " ms");
        }
    }

    private @Nullable Postmaster restart(Launcher launcher, int port) {
        try {
            return closing ? null : launcher.start(OptionalInt.of(port));
        } catch (PostgresStartException | RuntimeException e) {
            LOG.error("PostgreSQL could not be restarted: {}", e.getMessage());
            return null;
        }
    }

    private void giveUp(String ending) {
        gaveUp = true;
        LOG.error(
                "PostgreSQL on {} did not stay up after {} restarts and is left down ({}). Its own"
                    + " words are in postgres.log there. Start Orchestrion again once the cause is"
                    + " gone",
                options.dataFolder(),
                pauses.size(),
                ending);
        while (!closing) {
            wake.acquireUninterruptibly();
        }
    }

    private void awaitEnd(Launcher launcher, Postmaster postmaster) {
        Process process = postmaster.process();
        if (process != null) {
            var _ = process.onExit().thenRun(wake::release);
        }
        Duration poll = process == null ? ADOPTED_POLL : CHILD_POLL;
        while (!closing && launcher.alive(postmaster)) {
            pause(poll);
        }
    }

    /// Waits, or less when something happened.
    private void pause(Duration time) {
        try {
            var _ = wake.tryAcquire(time.toNanos(), TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            // Nobody outside can reach this thread to interrupt it; going on is the safe answer.
        }
    }

    private void tell(String reason) {
        LOG.warn("{}", reason);
        // On threads of their own: a slow listener must not keep the next crash unseen, and one may
        // call close().
        for (Consumer<String> listener : listeners) {
            Thread.ofVirtual()
                    .start(
                            () -> {
                                try {
                                    listener.accept(reason);
                                } catch (RuntimeException e) {
                                    LOG.warn("a restart listener failed", e);
                                }
                            });
        }
    }
}
