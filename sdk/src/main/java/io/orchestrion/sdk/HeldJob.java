package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// A claimed job. Everything that was written to its log is sent before its outcome, because
/// afterwards a worker cannot write to the log.
final class HeldJob implements Held<QueueJob> {
    private final JobQueue queue;
    private final JobHandler handler;
    private final ClaimedJob claimed;
    private final JobLog log;
    private volatile boolean cancelRequested;

    HeldJob(JobQueue queue, JobHandler handler, ClaimedJob claimed) {
        this.queue = queue;
        this.handler = handler;
        this.claimed = claimed;
        log = new JobLog(queue, claimed);
    }

    /// The handler's view of the job.
    private final class Run implements JobRun {
        @Override
        public QueueJob job() {
            return claimed.job();
        }

        @Override
        public JobLog log() {
            return log;
        }

        @Override
        public boolean cancelRequested() {
            return cancelRequested;
        }
    }

    @Override
    public UUID id() {
        return claimed.id();
    }

    @Override
    public QueueJob work() {
        return claimed.job();
    }

    @Override
    public Duration lease() {
        return claimed.lease();
    }

    @Override
    public Duration heartbeatInterval() {
        // A cancellation is noticed within this time.
        Duration third = claimed.lease().dividedBy(3);
        return third.compareTo(JobClaim.HEARTBEAT_MAX) < 0 ? third : JobClaim.HEARTBEAT_MAX;
    }

    @Override
    public Directives heartbeat(Duration within) {
        cancelRequested |= queue.heartbeatOnce(claimed, within).cancelRequested();
        return new Directives(false, cancelRequested, null);
    }

    @Override
    public @Nullable String handled() throws Exception {
        return handler.handle(new Run());
    }

    @Override
    public QueueJob complete(@Nullable String result) {
        log.finish(claimed.lease());
        return queue.complete(claimed, result);
    }

    @Override
    public QueueJob fail(@Nullable Throwable cause, String reason) {
        log.finish(claimed.lease());
        boolean forGood = cause instanceof JobFailure failure && !failure.retryable();
        return queue.fail(claimed, reason, !forGood);
    }

    @Override
    public QueueJob cancelled(Throwable cause, String reason) {
        log.finish(claimed.lease());
        return queue.fail(claimed, reason, false);
    }

    @Override
    public int reasonMax() {
        return 4000;
    }

    @Override
    public void lost() {
        log.abandon();
    }
}
