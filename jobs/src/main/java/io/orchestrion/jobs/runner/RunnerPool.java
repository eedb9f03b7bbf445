package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.work.Profiles;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.stream.Collectors;

/// A runner of jobs in this process. It claims one at a time while it has a place free, through the
/// same claim and the same fences as any worker; any number of runners, in any number of processes,
/// share the work. Poll is the guarantee, and the bell only a hint.
public final class RunnerPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunnerPool.class);

    private static final Duration TROUBLE_PAUSE = Duration.ofSeconds(1);

    private final Kernel kernel;
    private final Jobs jobs;
    private final Runners registry;
    private final RunnerOptions options;
    private final Handlers handlers;
    private final RunnerListener listener;
    private final UUID id;
    private final Set<JobRun> runs = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private int busy;
    private boolean rung;
    private boolean started;
    private boolean stopping;
    private boolean stopped;
    private boolean troubled;

    public RunnerPool(
            Kernel kernel,
            Jobs jobs,
            Runners registry,
            RunnerOptions options,
            Handlers handlers,
            RunnerListener listener) {
        this.kernel = kernel;
        this.jobs = jobs;
        this.registry = registry;
        this.options = options;
        this.handlers = handlers;
        this.listener = listener;
        this.id = UUID.randomUUID();
    }

    /// Begins to take jobs. A database that does not answer now is no reason not to.
    public void start() {
        lock.lock();
        try {
            if (started) {
                throw new IllegalStateException("a runner starts once");
            }
            started = true;
        } finally {
            lock.unlock();
        }
        withoutTrouble(() -> registry.enter(id, options.name(), options.concurrency()));
        kernel.onReady(Profiles.JOBS.queue(), this::ring);
        Thread.ofVirtual().name("runner-" + options.name()).start(this::take);
        Thread.ofVirtual().name("runner-watch-" + options.name()).start(this::watch);
        kernel.signals().runners(options.concurrency(), 0);
        log.info(
                "runner {} takes jobs, {} at a time; handlers: {}",
                options.name(),
                options.concurrency(),
                handlers.names());
    }

    public String name() {
        return options.name();
    }

    public int busy() {
        lock.lock();
        try {
            return busy;
        } finally {
            lock.unlock();
        }
    }

    private void ring() {
        lock.lock();
        try {
            rung = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Until it stops: a place, then a job for it.
    private void take() {
        while (takePlace()) {
            long asked = System.nanoTime();
            Assigned assigned = claim();
            if (assigned == null) {
                freePlace();
                awaitWork(troubled ? TROUBLE_PAUSE : options.pollEvery());
            } else {
                begin(assigned, asked);
            }
        }
    }

    /// Waits for a free place; false when no more are wanted.
    private boolean takePlace() {
        lock.lock();
        try {
            while (!stopping && busy >= options.concurrency()) {
                changed.awaitUninterruptibly();
            }
            if (stopping) {
                return false;
            }
            busy++;
            // What rings from here on is news to the look that follows.
            rung = false;
            return true;
        } finally {
            lock.unlock();
        }
    }

    private void freePlace() {
        int left;
        lock.lock();
        try {
            left = --busy;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        kernel.signals().runners(options.concurrency() - left, left);
    }

    private void awaitWork(Duration atMost) {
        lock.lock();
        try {
            long left = atMost.toNanos();
            while (!rung && !stopping && left > 0) {
                left = changed.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a runner", e);
        } finally {
            lock.unlock();
        }
    }

    private @Nullable Assigned claim() {
        try {
            List<Assigned> claimed = jobs.claim(options.name(), 1);
            if (troubled) {
                troubled = false;
                listener.trouble("the database answers again");
            }
            return claimed.isEmpty() ? null : claimed.getFirst();
        } catch (StoreException e) {
            if (!troubled) {
                troubled = true;
                log.warn("no job can be taken for now: {}", e.getMessage());
                listener.trouble("no job can be taken for now: " + e.getMessage());
            }
            return null;
        } catch (RuntimeException e) {
            // Nobody would start this thread again, so it goes on.
            troubled = true;
            log.error("no job can be taken for now", e);
            return null;
        }
    }

    private void begin(Assigned assigned, long asked) {
        var run = new JobRun(kernel, jobs, assigned, asked, options, handlers, listener);
        runs.add(run);
        kernel.signals().runners(options.concurrency() - busy(), busy());
        Thread.ofVirtual()
                .name("runner-job-" + assigned.job().id())
                .start(
                        () -> {
                            try {
                                run.run();
                            } catch (RuntimeException e) {
                                // Its lease runs out, and the engine does what that means.
                                log.error("job {} was dropped", assigned.job().id(), e);
                            } finally {
                                runs.remove(run);
                                freePlace();
                            }
                        });
    }

    /// Shows that it lives, and looks whether what it holds is still its own.
    private void watch() {
        long nextBeat = System.nanoTime() + options.heartbeatEvery().toNanos();
        while (restUnlessStopped()) {
            if (System.nanoTime() - nextBeat >= 0) {
                nextBeat = System.nanoTime() + options.heartbeatEvery().toNanos();
                withoutTrouble(
                        () ->
                                registry.beat(
                                        id, options.name(), options.concurrency(), runs.size()));
            }
            withoutTrouble(this::lookForLost);
        }
    }

    private boolean restUnlessStopped() {
        lock.lock();
        try {
            long left = options.checkEvery().toNanos();
            while (!stopped && left > 0) {
                left = changed.awaitNanos(left);
            }
            return !stopped;
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a runner", e);
        } finally {
            lock.unlock();
        }
    }

    private void lookForLost() {
        Map<UUID, List<JobRun>> byAccount =
                runs.stream().collect(Collectors.groupingBy(run -> run.assigned().job().account()));
        byAccount.forEach(
                (account, mine) -> {
                    List<HeldSql.Held> held =
                            mine.stream().map(JobRun::assigned).map(each -> held(each)).toList();
                    Set<UUID> lost =
                            Set.copyOf(
                                    kernel.database()
                                            .transaction(tx -> HeldSql.lost(tx, account, held)));
                    mine.stream()
                            .filter(run -> lost.contains(run.assigned().job().id()))
                            .forEach(JobRun::lost);
                });
    }

    private static HeldSql.Held held(Assigned assigned) {
        return new HeldSql.Held(assigned.job().id(), assigned.fence().token());
    }

    /// The next time will do.
    private void withoutTrouble(Runnable step) {
        try {
            step.run();
        } catch (StoreException e) {
            log.debug("runner {}: {}", options.name(), e.getMessage());
        } catch (RuntimeException e) {
            log.error("runner {}", options.name(), e);
        }
    }

    /// Takes no more jobs and lets those that run end, within the given time; then stops their work
    /// and fails them. True when all ended by themselves.
    public boolean stop(Duration atMost) {
        lock.lock();
        try {
            stopping = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        boolean ended = awaitIdle(atMost);
        if (!ended) {
            runs.forEach(JobRun::runnerStops);
            awaitIdle(options.stopPatience().plusSeconds(1));
        }
        lock.lock();
        try {
            if (stopped) {
                return ended;
            }
            stopped = true;
            changed.signalAll();
        } finally {
            lock.unlock();
        }
        withoutTrouble(() -> registry.leave(id));
        return ended;
    }

    private boolean awaitIdle(Duration atMost) {
        long until = System.nanoTime() + atMost.toNanos();
        lock.lock();
        try {
            while (busy > 0) {
                long left = until - System.nanoTime();
                if (left <= 0) {
                    return false;
                }
                changed.await(left, TimeUnit.NANOSECONDS);
            }
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
