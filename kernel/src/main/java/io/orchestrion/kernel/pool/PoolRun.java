package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.lanes.Work;
import io.orchestrion.kernel.signals.Tracing;
import io.orchestrion.kernel.work.Ack;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.locks.ReentrantLock;

/// One item from its claim to the final report.
final class PoolRun implements Crew.Work {
    private static final Logger log = LoggerFactory.getLogger(PoolRun.class);

    /// Why its handler was told to stop.
    private enum Halt {
        LOST,
        STOPPING
    }

    private final PoolWork kind;
    private final Handler handler;
    private final Work work;
    private final LeaseKeeper keeper;
    private final Tracing tracing;
    private final WorkItem item;
    private final String payload;
    private final Fence fence;
    private final long askedNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable Thread thread;
    private @Nullable Halt halt;
    private boolean ended;
    private volatile Crew.@Nullable Run place;

    PoolRun(
            PoolWork kind,
            Handler handler,
            Work work,
            LeaseKeeper keeper,
            Tracing tracing,
            WorkView view,
            long askedNanos) {
        this.kind = kind;
        this.handler = handler;
        this.work = work;
        this.keeper = keeper;
        this.tracing = tracing;
        this.item = view.item();
        this.payload = Objects.requireNonNull(view.documents()).payload();
        this.fence = new Fence(item.lease().token(), item.lease().number());
        this.askedNanos = askedNanos;
    }

    /// Where it runs, so that it shows when its handler does not stop.
    void in(Crew.Run run) {
        place = run;
    }

    @Override
    public void run() {
        var lease =
                new LeaseKeeper.Lease(
                        item.accountId(),
                        kind.profile(),
                        item.id(),
                        fence,
                        length(),
                        Objects.equals(item.lease().untilMs(), item.lease().deadlineMs()),
                        kind.renewEvery());
        LeaseKeeper.Kept kept = keeper.keep(lease, askedNanos, this::lost);
        Outcome outcome;
        try {
            outcome = handle();
        } finally {
            kept.close();
        }
        if (outcome != null) {
            tell(outcome, kept);
        }
    }

    private Duration length() {
        Long until = item.lease().untilMs();
        Long claimed = item.times().claimedMs();
        return until == null || claimed == null
                ? Duration.ofSeconds(item.lease().seconds())
                : Duration.ofMillis(until - claimed);
    }

    /// What is to be reported; null when the lease is lost, and so nothing is.
    private @Nullable Outcome handle() {
        lock.lock();
        try {
            thread = Thread.currentThread();
            if (halt != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
        Outcome outcome = null;
        Throwable failure = null;
        Map<String, String> attributes =
                Map.of("work.id", item.id().toString(), "work.kind", item.kind());
        try (Tracing.Span span = tracing.start(kind.name(), item.trail().trace(), attributes)) {
            try {
                outcome = handler.run(new Charge(item, payload, span.traceparent()));
            } catch (Throwable e) {
                // A handler's failure is its item's, whatever it is.
                failure = e;
                span.failed(e.toString());
            }
        }
        lock.lock();
        try {
            ended = true;
            // Clears the interrupt, which has done its work.
            boolean _ = Thread.interrupted();
            return switch (halt) {
                case LOST -> null;
                case STOPPING -> outcome == null ? new Outcome.GivenBack() : outcome;
                case null -> outcome == null ? failed(failure) : outcome;
            };
        } finally {
            lock.unlock();
        }
    }

    private Outcome failed(@Nullable Throwable failure) {
        log.warn("{} failed on item {}", kind.name(), item.id(), failure);
        String text = String.valueOf(failure);
        return new Outcome.Failed(
                WorkError.of(
                        WorkError.HANDLER_FAILED,
                        text.substring(0, Math.min(text.length(), WorkError.MESSAGE_MAX))));
    }

    private void tell(Outcome outcome, LeaseKeeper.Kept kept) {
        Command command =
                switch (outcome) {
                    case Outcome.Completed(var result, var report) ->
                            new Command.Complete(fence, result, null, report, null);
                    case Outcome.Failed(var report, var retryable, var delayMs) ->
                            new Command.Fail(fence, null, delayMs, retryable, report, null);
                    case Outcome.GivenBack() -> new Command.LetGo(fence);
                };
        var request =
                new CommandRequest(item.accountId(), kind.profile(), item.id(), command, false);
        Ack ack =
                LastWord.say(
                        kind.name() + " on item " + item.id(),
                        () -> work.command(request),
                        () -> keeper.nanos() + LastWord.TRY_AGAIN_NANOS - kept.endNanos() < 0);
        if (!(ack instanceof Ack.Applied)) {
            log.info("{} came too late with item {}", kind.name(), item.id());
        }
    }

    private void lost(@Nullable Refusal why) {
        log.debug("{} lost the lease of item {}: {}", kind.name(), item.id(), why);
        halt(Halt.LOST);
        Crew.Run mine = place;
        if (mine != null) {
            mine.told();
        }
    }

    @Override
    public void stop() {
        halt(Halt.STOPPING);
    }

    private void halt(Halt why) {
        lock.lock();
        try {
            if (ended) {
                return;
            }
            // A lease that is gone counts more than a stop.
            if (halt == null || why == Halt.LOST) {
                halt = why;
            }
            if (thread != null) {
                thread.interrupt();
            }
        } finally {
            lock.unlock();
        }
    }
}
