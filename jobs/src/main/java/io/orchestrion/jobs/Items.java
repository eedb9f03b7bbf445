package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;

/// Jobs from items that the kernel has just answered with.
final class Items {
    private Items() {}

    static Job job(NewJob from, JobDefinition definition, WorkItem item) {
        String payload = from.payload();
        var job =
                new Job(
                        item.id(),
                        item.accountId(),
                        from.type(),
                        JobState.of(item),
                        null,
                        item.createdMs(),
                        from.executionMs(),
                        item.updatedMs(),
                        1,
                        item.maxAttempts(),
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
        Long deadline = item.deadlineMs();
        Long timeout = item.timeoutMs();
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
                item.updatedMs(),
                item.retries() + 1,
                item.maxAttempts(),
                job.callback(),
                job.definition(),
                job.payload(),
                job.handler(),
                job.autoRetry(),
                started,
                state.isFinal() ? Long.valueOf(item.eventMs()) : null,
                item.waitReason() == WaitReason.BACKOFF ? item.runAtMs() : null,
                item.holder(),
                state == JobState.FAILED ? JobFailure.of(item.failure()) : null);
    }
}
