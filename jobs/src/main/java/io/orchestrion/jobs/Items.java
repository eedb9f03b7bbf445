package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.Definition;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;

/// Jobs from items that the kernel has just answered with.
final class Items {
    private Items() {}

    static Job job(NewJob from, Definition definition, WorkItem item) {
        String payload = from.payload();
        var job =
                new Job(
                        item.id(),
                        item.accountId(),
                        from.type(),
                        JobState.of(item),
                        null,
                        item.times().createdMs(),
                        from.executionMs(),
                        item.times().updatedMs(),
                        1,
                        item.attempts().most(),
                        from.callback(),
                        definition,
                        payload == null ? "{}" : payload,
                        from.handler(),
                        from.autoRetry(),
                        null,
                        null,
                        null,
                        null,
                        null);
        return at(job, item);
    }

    /// The job as it is in that row.
    static Job at(Job job, WorkItem item) {
        JobState state = JobState.of(item);
        Long deadline = item.lease().deadlineMs();
        Long timeout = item.attempts().timeoutMs();
        Long started =
                state == JobState.RUNNING && deadline != null && timeout != null
                        ? Long.valueOf(deadline - timeout)
                        : state.isFinal() ? job.startedMs() : null;
        return new Job(
                job.id(),
                job.account(),
                job.type(),
                state,
                state.outcome(),
                job.createdMs(),
                job.executionMs(),
                item.times().updatedMs(),
                item.attempts().retries() + 1,
                item.attempts().most(),
                job.callback(),
                job.definition(),
                job.payload(),
                job.handler(),
                job.autoRetry(),
                started,
                state.isFinal() ? Long.valueOf(item.place().eventMs()) : null,
                item.waitReason() == WaitReason.BACKOFF ? item.turn().runAtMs() : null,
                item.holding().holder(),
                state == JobState.FAILED ? JobFailure.of(item.attempts().failure()) : null);
    }
}
