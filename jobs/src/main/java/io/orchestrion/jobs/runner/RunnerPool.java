package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.registry.Runners;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.pool.Crew;
import io.orchestrion.kernel.pool.LeaseKeeper;
import io.orchestrion.kernel.sweep.SweepLoop;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.work.Profiles;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicBoolean;

/// A runner of jobs in this process: a crew that claims one job at a time while it has a place
/// free. Jobs come in the order of all accounts, with the same claim and the same fences as for any
/// worker. Any number of runners, in any number of processes, share the work. Polling is the
/// guarantee, and the bell only a hint.
public final class RunnerPool implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(RunnerPool.class);

    private static final Duration TROUBLE_PAUSE = Duration.ofSeconds(1);

    /// How its crew is called where crews are shown.
    private static final String CREW = "job-runner";

    /// Jobs are given out in one order over all accounts, so places are not counted by account.
    private static final UUID ALL_ACCOUNTS = new UUID(0, 0);

    private final Kernel kernel;
    private final Jobs jobs;
    private final Runners registry;
    private final RunnerOptions options;
    private final Handlers handlers;
    private final RunnerListener listener;
    private final UUID id;
    private final Crew crew;
    private final LeaseKeeper keeper;
    private final Taking taking = new Taking();
    private final SweepLoop loop;
    private final AtomicBoolean started = new AtomicBoolean();
    private final AtomicBoolean stopped = new AtomicBoolean();

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
        this.crew = kernel.pool().crew(CREW, options.concurrency(), options.concurrency());
        this.keeper =
                new LeaseKeeper(
                        "runner-leases",
                        kernel.work(),
                        kernel.database(),
                        NanoTicker.SYSTEM,
                        shorter(options.checkEvery(), options.heartbeatEvery()));
        this.loop =
                new SweepLoop(
                        options.pollEvery(),
                        List.of(taking, keeper, new Showing()),
                        NanoTicker.SYSTEM);
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    /// Begins to take jobs. A database that does not answer now is no reason not to.
    public void start() {
        if (!started.compareAndSet(false, true)) {
            throw new IllegalStateException("a runner starts once");
        }
        withoutTrouble(() -> registry.enter(id, options.name(), options.concurrency()));
        loop.start();
        taking.ring.run();
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
        return crew.busy();
    }

    /// While there is a place, a job for it.
    private final class Taking implements Sweeper {
        private volatile Runnable ring = () -> {};
        private volatile boolean troubled;

        @Override
        public String name() {
            return "runner-takes";
        }

        @Override
        public Duration pace(Duration usual) {
            return troubled ? TROUBLE_PAUSE : options.pollEvery();
        }

        @Override
        public int fullPass() {
            return Integer.MAX_VALUE;
        }

        @Override
        public void wakeBy(Runnable bell) {
            ring = bell;
            crew.onFree(bell);
            kernel.onReady(Profiles.JOBS.queue(), bell);
        }

        @Override
        public int runOnce() {
            int begun = 0;
            while (crew.take(ALL_ACCOUNTS, 1) == 1) {
                long asked = System.nanoTime();
                Assigned assigned = claim();
                if (assigned == null) {
                    crew.give(ALL_ACCOUNTS, 1);
                    break;
                }
                begin(assigned, asked);
                begun++;
            }
            return begun;
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
                troubled = true;
                log.error("no job can be taken for now", e);
                return null;
            }
        }
    }

    private void begin(Assigned assigned, long asked) {
        var run = new JobRun(kernel, jobs, assigned, asked, keeper, options, handlers, listener);
        run.in(
                crew.start(
                        ALL_ACCOUNTS,
                        "runner-job-" + assigned.job().id(),
                        new Crew.Work() {
                            @Override
                            public void run() {
                                run.run();
                            }

                            @Override
                            public void stop() {
                                run.runnerStops();
                            }

                            @Override
                            public void then() {
                                showBusy();
                            }
                        }));
        showBusy();
    }

    private void showBusy() {
        int busy = crew.status().busy();
        kernel.signals().runners(options.concurrency() - busy, busy);
    }

    /// Shows that it lives.
    private final class Showing implements Sweeper {
        @Override
        public String name() {
            return "runner-lives";
        }

        @Override
        public Duration pace(Duration usual) {
            return options.heartbeatEvery();
        }

        @Override
        public int fullPass() {
            return Integer.MAX_VALUE;
        }

        @Override
        public int runOnce() {
            registry.beat(id, options.name(), options.concurrency(), crew.status().busy());
            return 1;
        }
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
        boolean ended = crew.stop(atMost, options.stopPatience().plusSeconds(1));
        if (stopped.compareAndSet(false, true)) {
            loop.close();
            kernel.pool().forget(crew);
            withoutTrouble(() -> registry.leave(id));
        }
        return ended;
    }

    @Override
    public void close() {
        stop(Duration.ZERO);
    }
}
