package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.Assigned;
import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.handler.JobContext;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// One attempt as its work sees it.
final class RunContext implements JobContext {
    private final Assigned assigned;
    private final JobDefinition definition;
    private final long deadlineNanos;
    private final @Nullable String traceparent;
    private final CountDownLatch stopped = new CountDownLatch(1);

    /// @param deadlineNanos by [System#nanoTime]
    RunContext(
            Assigned assigned,
            JobDefinition definition,
            long deadlineNanos,
            @Nullable String traceparent) {
        this.assigned = assigned;
        this.definition = definition;
        this.deadlineNanos = deadlineNanos;
        this.traceparent = traceparent;
    }

    @Override
    public UUID account() {
        return assigned.job().account();
    }

    @Override
    public UUID jobId() {
        return assigned.job().id();
    }

    @Override
    public int attempt() {
        return assigned.job().attempt();
    }

    @Override
    public String payload() {
        return assigned.job().payload();
    }

    @Override
    public JobDefinition definition() {
        return definition;
    }

    /// How long the attempt may run before any time scale.
    Duration limit() {
        return Duration.ofMillis(assigned.timeoutMs());
    }

    @Override
    public Duration remaining() {
        return Duration.ofNanos(Math.max(0, deadlineNanos - System.nanoTime()));
    }

    @Override
    public boolean cancelled() {
        return stopped.getCount() == 0;
    }

    @Override
    public void pause(Duration time) throws InterruptedException {
        if (stopped.await(time.toNanos(), TimeUnit.NANOSECONDS)) {
            throw new InterruptedException("the attempt is over");
        }
    }

    @Override
    public @Nullable String traceparent() {
        return traceparent;
    }

    /// From now on the attempt no longer counts.
    void stop() {
        stopped.countDown();
    }
}
