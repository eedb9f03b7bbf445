package io.orchestrion.postgres;

import io.orchestrion.postgres.PostgresStartException.Reason;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
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
///
/// A first start that fails is told to the caller. From then on nothing is given up: whatever keeps
/// the server down may pass, and then nobody should have to come and start it (decision 145).
final class Supervisor {
    private static final Logger LOG = LoggerFactory.getLogger(Supervisor.class);

    /// How long to rest before each try in a row; the last one is for all that follow. It is short
    /// enough to be back soon after the cause is gone, and long enough to cost nothing meanwhile.
    static final List<Duration> PAUSES =
            List.of(0, 250, 500, 1_000, 2_000, 4_000, 8_000).stream()
                    .map(Duration::ofMillis)
                    .toList();
    // A server that served this long is not in a crash loop, however often it is killed; the count
    // of restarts starts anew.
    private static final Duration PROVEN = Duration.ofSeconds(5);
    private static final Duration ADOPTED_POLL = Duration.ofMillis(100);
    private static final Duration CHILD_POLL = Duration.ofSeconds(1);
    private static final Duration REMIND = Duration.ofMinutes(1);

    private final PostgresOptions options;
    private final PrivilegeDrop drop;
    private final Path systemBinaries;
    private final List<Duration> pauses;
    private final Thread thread;
    private final CompletableFuture<Running> started = new CompletableFuture<>();
    private final Semaphore wake = new Semaphore(0);
    private final List<Consumer<String>> listeners = new CopyOnWriteArrayList<>();
    private volatile boolean closing;
    private volatile @Nullable Down down;
    private volatile @Nullable Postmaster current;

    /// What stays the same over restarts.
    record Running(int port, String password, String version, boolean adopted, DataVolume volume) {}

    private record Down(Reason cause, String words, int tries, long sinceNanos) {
        Down failed(Reason why, String what) {
            return new Down(why, what, tries + 1, sinceNanos);
        }

        Duration lasted() {
            return Duration.ofNanos(System.nanoTime() - sinceNanos);
        }
    }

    Supervisor(
            PostgresOptions options,
            PrivilegeDrop drop,
            Path systemBinaries,
            List<Duration> pauses) {
        this.options = options;
        this.drop = drop;
        this.systemBinaries = systemBinaries;
        this.pauses = List.copyOf(pauses);
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

    /// Empty while the server is up, as far as is known.
    Optional<Outage> outage() {
        Down known = down;
        return known == null
                ? Optional.empty()
                : Optional.of(
                        new Outage(known.cause(), known.words(), known.tries(), known.lasted()));
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
                                    first.port(),
                                    password,
                                    binaries.version(),
                                    first.adopted(),
                                    folder.volume()));
                    watch(launcher, folder, first);
                } finally {
                    Postmaster last = current;
                    current = null;
                    launcher.stop(last == null ? first : last);
                }
            }
        } catch (PostgresStartException | RuntimeException | Error e) {
            if (!started.completeExceptionally(e)) {
                down =
                        new Down(
                                Reason.FAILED,
                                "PostgreSQL is no longer supervised: " + e,
                                0,
                                System.nanoTime());
                LOG.error("PostgreSQL is no longer supervised", e);
            }
        }
    }

    private Postmaster bringUp(Launcher launcher, OptionalInt port) throws PostgresStartException {
        var orphan = launcher.adopt();
        return orphan.isPresent() ? orphan.get() : launcher.start(port);
    }

    private void watch(Launcher launcher, DataFolder folder, Postmaster first) {
        Postmaster postmaster = first;
        int crashes = 0;
        while (true) {
            long up = System.nanoTime();
            awaitEnd(launcher, folder, postmaster);
            if (closing) {
                return;
            }
            crashes = System.nanoTime() - up > PROVEN.toNanos() ? 0 : crashes;
            current = null;
            String ending = postmaster.ending();
            var fallen = new Down(Reason.FAILED, ending, 0, System.nanoTime());
            down = fallen;
            LOG.error("{}; restarting it", ending);
            @Nullable Postmaster next = bringBack(launcher, postmaster.port(), fallen, crashes);
            if (next == null) {
                return;
            }
            crashes += outage().map(Outage::tries).orElse(0) + 1;
            // In this order: whoever sees its pid sees no outage any more.
            down = null;
            current = next;
            postmaster = next;
            tell(
                    ending
                            + "; restarted as pid "
                            + next.pid()
                            + " after "
                            + fallen.lasted().toMillis()
                            + " ms");
        }
    }

    /// Tries until the server is up; null when it is to be no more.
    private @Nullable Postmaster bringBack(
            Launcher launcher, int port, Down fallen, int crashesBefore) {
        Down now = fallen;
        long toldNanos = System.nanoTime();
        while (!closing) {
            int place = Math.min(crashesBefore + now.tries(), pauses.size() - 1);
            Processes.await(pauses.get(place), () -> closing);
            if (closing) {
                return null;
            }
            try {
                return launcher.start(OptionalInt.of(port));
            } catch (PostgresStartException | RuntimeException e) {
                Reason why =
                        e instanceof PostgresStartException known ? known.reason() : Reason.FAILED;
                boolean news = now.tries() == 0 || now.cause() != why;
                now = now.failed(why, String.valueOf(e.getMessage()));
                down = now;
                if (news || System.nanoTime() - toldNanos > REMIND.toNanos()) {
                    toldNanos = System.nanoTime();
                    LOG.error(
                            "PostgreSQL is down for {} s and could not be restarted ({} tries so"
                                    + " far; it is tried again every {} s until it comes up): {}",
                            now.lasted().toSeconds(),
                            now.tries(),
                            pauses.getLast().toSeconds(),
                            now.words());
                }
            }
        }
        return null;
    }

    private void awaitEnd(Launcher launcher, DataFolder folder, Postmaster postmaster) {
        Process process = postmaster.process();
        if (process != null) {
            var _ = process.onExit().thenRun(wake::release);
        }
        Duration poll = process == null ? ADOPTED_POLL : CHILD_POLL;
        while (!closing && launcher.alive(postmaster)) {
            folder.volume().tend();
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
