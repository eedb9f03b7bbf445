package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.Job;
import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.JobOutput;
import io.orchestrion.jobs.JobState;
import io.orchestrion.jobs.Jobs;
import io.orchestrion.jobs.RunnerAck;
import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.jobs.handler.Produced;
import io.orchestrion.jobs.runner.Attempt.Ending;
import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.pool.Crew;
import io.orchestrion.kernel.pool.LastWord;
import io.orchestrion.kernel.pool.LeaseKeeper;
import io.orchestrion.kernel.signals.Tracing;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/// One job that a runner has, from its assignment to its end. The work has a thread of its own.
/// This class watches the time, and stops the work when its outcome no longer counts. It sends the
/// final report only after the work has stopped, or was told to and does not.
final class JobRun {
    private static final Logger log = LoggerFactory.getLogger(JobRun.class);

    /// The runner ended before the job did.
    static final String RUNNER_STOPPED = "RUNNER_STOPPED";

    /// Why the work was told to stop.
    private enum Halt {
        LOST("not this runner's any more"),
        TIME_OVER("over the time it may run"),
        /// By the database's clock, which may be a moment ahead of ours when the attempt's time is
        /// over.
        EXPIRED("over its lease, or over the time it may run"),
        RUNNER_STOPPED("the runner was stopped");

        private final String text;

        Halt(String text) {
            this.text = text;
        }
    }

    private final Kernel kernel;
    private final Jobs jobs;
    private final Assigned assigned;
    private final LeaseKeeper keeper;
    private final RunnerOptions options;
    private final Handlers handlers;
    private final RunnerListener listener;
    private final Failpoints failpoints;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();
    private final long askedNanos;
    private LeaseKeeper.@Nullable Kept kept;
    private volatile Crew.@Nullable Run place;
    private @Nullable Ending ending;
    private @Nullable Halt halt;

    /// @param askedNanos when the claim was asked for, from which its lease counts at the earliest
    JobRun(
            Kernel kernel,
            Jobs jobs,
            Assigned assigned,
            long askedNanos,
            LeaseKeeper keeper,
            RunnerOptions options,
            Handlers handlers,
            RunnerListener listener) {
        this.kernel = kernel;
        this.jobs = jobs;
        this.assigned = assigned;
        this.keeper = keeper;
        this.options = options;
        this.handlers = handlers;
        this.listener = listener;
        this.failpoints = kernel.database().failpoints();
        this.askedNanos = askedNanos;
    }

    /// Where it runs, so that it shows when its work does not stop.
    void in(Crew.Run run) {
        place = run;
    }

    /// The lease is not ours any more, or is about to end unseen.
    private void over(@Nullable Refusal why) {
        halt(why instanceof Refusal.LeaseExpired ? Halt.EXPIRED : Halt.LOST);
    }

    void runnerStops() {
        halt(Halt.RUNNER_STOPPED);
    }

    private void halt(Halt why) {
        lock.lock();
        try {
            if (halt == null && ending == null) {
                halt = why;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    private void ended(Ending how) {
        lock.lock();
        try {
            // The first cause counts: work that ends while it is being stopped was stopped.
            if (halt == null) {
                ending = how;
            }
            changed.signalAll();
        } finally {
            lock.unlock();
        }
    }

    /// Returns when nothing of it runs any more.
    void run() {
        failpoints.hit("runner.before-start");
        RunnerAck begun = say("start", () -> jobs.start(assigned));
        switch (begun) {
            case null -> listener.ended(assigned, null, "could not be started", Duration.ZERO);
            case RunnerAck.Stop(var why, var state) ->
                    listener.ended(assigned, state, "not started: " + why, Duration.ZERO);
            case RunnerAck.Applied(var job) -> {
                failpoints.hit("runner.after-start");
                if (job.state() == JobState.RUNNING) {
                    execute(job);
                } else {
                    // There is nothing to run, and the engine has failed it.
                    told(job, "", System.nanoTime());
                }
            }
        }
    }

    private void execute(Job job) {
        long startNanos = System.nanoTime();
        JobDefinition definition = job.definition();
        if (definition == null) {
            tellFailure(JobFailure.NO_DEFINITION, "its definition is gone", startNanos);
            return;
        }
        describe(log.atInfo(), definition).log("job started");
        listener.started(assigned);
        Attempt attempt =
                Attempt.of(job, assigned.timeoutMs(), options.timeScale(), handlers, kernel.work());
        if (attempt == null) {
            tellFailure(
                    JobFailure.NO_HANDLER,
                    "this runner has no handler " + job.handler(),
                    startNanos);
            return;
        }
        Map<String, String> attributes =
                Map.of(
                        "job.id", job.id().toString(),
                        "job.scenario", definition.workKind(),
                        "job.attempt", Integer.toString(job.attempt()),
                        "runner", options.name());
        try (Tracing.Span span =
                kernel.signals().tracing().start("jobs.execute", assigned.trace(), attributes)) {
            long deadline = startNanos + attempt.limit().toNanos();
            var context = new RunContext(assigned, definition, deadline, span.traceparent());
            Thread worker =
                    Thread.ofPlatform()
                            .daemon()
                            .name("job-" + job.id())
                            .start(() -> work(attempt, context));
            superviseUnderLease(context, worker, deadline);
            failpoints.hit("runner.before-end");
            String why = tellEnding(startNanos);
            if (!why.isEmpty()) {
                span.failed(why);
            }
            awaitForGood(worker);
        }
    }

    /// However it ends, the end of the work is noted. A thread that died unnoticed would be waited
    /// for until its time is over.
    private void work(Attempt attempt, RunContext context) {
        Ending how =
                new Ending.Failed(
                        new JobFailure(
                                JobFailure.HANDLER_FAILED,
                                "what the handler failed with cannot be read",
                                false));
        try {
            how = attempt.run(context);
        } finally {
            ended(how);
        }
    }

    private void superviseUnderLease(RunContext context, Thread worker, long deadline) {
        var lease =
                new LeaseKeeper.Lease(
                        assigned.job().account(),
                        Profiles.JOBS,
                        assigned.job().id(),
                        assigned.fence(),
                        Duration.ofMillis(assigned.leaseMs()),
                        false,
                        options.heartbeatEvery());
        try (LeaseKeeper.Kept mine = keeper.keep(lease, askedNanos, this::over)) {
            kept = mine;
            supervise(context, worker, deadline);
        }
    }

    /// Returns when the work has ended, or was told to and had its time to obey.
    private void supervise(RunContext context, Thread worker, long deadline) {
        lock.lock();
        try {
            while (ending == null && halt == null) {
                long left = deadline - System.nanoTime();
                if (left <= 0) {
                    halt = Halt.TIME_OVER;
                } else {
                    changed.awaitNanos(left);
                }
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a runner", e);
        } finally {
            lock.unlock();
        }
        if (halted() != null) {
            Crew.Run mine = place;
            if (mine != null) {
                mine.told();
            }
            context.stop();
            worker.interrupt();
            awaitEnd(worker, options.stopPatience());
        }
    }

    private @Nullable Halt halted() {
        lock.lock();
        try {
            return halt;
        } finally {
            lock.unlock();
        }
    }

    /// Says how it ended; answers why it did not succeed, empty when it did.
    private String tellEnding(long startNanos) {
        Halt stopped = halted();
        if (stopped == Halt.LOST) {
            lostAfter(startNanos);
            return stopped.text;
        }
        if (stopped == Halt.RUNNER_STOPPED) {
            return tellFailure(RUNNER_STOPPED, stopped.text, true, startNanos);
        }
        return switch (ending) {
            case null -> timedOut(stopped == null ? Halt.TIME_OVER : stopped, startNanos);
            case Ending.Overdue _ -> timedOut(Halt.TIME_OVER, startNanos);
            case Ending.Failed(var failure) ->
                    tellFailure(failure.code(), failure.text(), failure.retryable(), startNanos);
            case Ending.Gave(var produced) -> succeeded(produced, startNanos);
        };
    }

    /// The engine ends it as its time or, where only the lease is over, as that says.
    private String timedOut(Halt why, long startNanos) {
        tell("timeout", () -> jobs.timeOut(assigned), why.text, startNanos);
        return why.text;
    }

    private String succeeded(Produced produced, long startNanos) {
        var output = new JobOutput(produced.sizeBytes(), produced.sha256(), produced.json());
        try {
            tell("completion", () -> jobs.complete(assigned, output), "", startNanos);
            return "";
        } catch (StoreException e) {
            // The database refuses this very output, and would again.
            return tellFailure(
                    JobFailure.OUTPUT_INVALID,
                    "the output was refused: " + e.getMessage(),
                    false,
                    startNanos);
        }
    }

    private void tellFailure(String code, String text, long startNanos) {
        tellFailure(code, text, false, startNanos);
    }

    private String tellFailure(String code, String text, boolean retryable, long startNanos) {
        var failure = new JobFailure(code, text, retryable);
        String why = code + ": " + text;
        tell("failure", () -> jobs.fail(assigned, failure), why, startNanos);
        return why;
    }

    private void tell(String what, Supplier<RunnerAck> word, String why, long startNanos) {
        switch (say(what, word)) {
            case null -> lostAfter(startNanos);
            case RunnerAck.Stop _ -> lostAfter(startNanos);
            case RunnerAck.Applied(var job) -> told(job, why, startNanos);
        }
    }

    private @Nullable RunnerAck say(String what, Supplier<RunnerAck> word) {
        return LastWord.say(
                what + " of job " + assigned.job().id(),
                word,
                () -> System.nanoTime() + LastWord.TRY_AGAIN_NANOS - leaseEndNanos() < 0);
    }

    private long leaseEndNanos() {
        LeaseKeeper.Kept mine = kept;
        return mine == null
                ? askedNanos + TimeUnit.MILLISECONDS.toNanos(assigned.leaseMs())
                : mine.endNanos();
    }

    private void told(Job job, String why, long startNanos) {
        Duration took = since(startNanos);
        JobFailure failure = job.failure();
        String reason = failure != null && why.isEmpty() ? failure.text() : why;
        JobDefinition definition = job.definition();
        LoggingEventBuilder line = log.atInfo();
        if (definition != null) {
            line = describe(line, definition);
        }
        line.addKeyValue("took_ms", took.toMillis())
                .addKeyValue("state", job.state())
                .addKeyValue("reason", reason)
                .log("job ended");
        listener.ended(assigned, job.state(), reason, took);
    }

    private void lostAfter(long startNanos) {
        Duration took = since(startNanos);
        log.atInfo()
                .addKeyValue("job_id", assigned.job().id())
                .addKeyValue("took_ms", took.toMillis())
                .log("job stopped: it is not this runner's any more");
        listener.ended(assigned, null, Halt.LOST.text, took);
    }

    /// Scenario, duration and expected outcome are what one wants to hold the run against.
    private LoggingEventBuilder describe(LoggingEventBuilder line, JobDefinition definition) {
        Job job = assigned.job();
        WorkKind kind = WorkKind.named(definition.workKind());
        String expected =
                job.handler() != null || kind == null
                        ? "as its handler says"
                        : kind.expected().name();
        return line.addKeyValue("job_id", job.id())
                .addKeyValue("client_id", job.account())
                .addKeyValue("attempt", job.attempt())
                .addKeyValue("scenario", definition.workKind())
                .addKeyValue("duration_ms", definition.durationMs())
                .addKeyValue("expected_outcome", expected)
                .addKeyValue("handler", job.handler() == null ? "simulated" : job.handler())
                .addKeyValue("runner", options.name());
    }

    private static Duration since(long startNanos) {
        return Duration.ofNanos(System.nanoTime() - startNanos);
    }

    private void awaitEnd(Thread worker, Duration atMost) {
        try {
            if (!worker.join(atMost)) {
                log.warn(
                        "the work of job {} was told to stop and does not: it keeps its place in"
                                + " the runner until it ends",
                        assigned.job().id());
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a runner", e);
        }
    }

    /// A place is free when nothing runs in it, or the runner would have more at work than it may.
    private static void awaitForGood(Thread worker) {
        try {
            worker.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a runner", e);
        }
    }
}
