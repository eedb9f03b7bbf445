package io.orchestrion.cli;

import io.orchestrion.sdk.QueueJob;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Jobs of the queue below each other.
final class JobTable {
    private final Times times;

    private JobTable(Times times) {
        this.times = times;
    }

    static PagedTable<QueueJob> of(Invocation run) {
        var rows = new JobTable(run.times());
        Screen screen = run.screen();
        return new PagedTable<>(
                run, WorkTable.HEAD, rows::row, (job, text) -> screen.status(job.status(), text));
    }

    private List<String> row(QueueJob job) {
        return WorkTable.row(
                job.status().word(),
                job.type(),
                job.id(),
                job.priority(),
                new WorkTable.Attempts(job.attempt(), job.maxAttempts()),
                times.relative(job.createdAt()),
                note(job));
    }

    /// What matters most about a job in this status.
    private String note(QueueJob job) {
        return switch (job.status()) {
            case RUNNING ->
                    orEmpty(job.workerId()) + (job.cancelRequested() ? ", to be cancelled" : "");
            case QUEUED ->
                    job.nextAttemptAt() == null
                            ? ""
                            : "due " + times.relative(job.nextAttemptAt()) + ", after a failure";
            case FAILED, DEAD_LETTER -> orEmpty(job.errorMessage());
            case SUCCEEDED -> orEmpty(job.resultSummary());
            case CANCELLED, UNKNOWN -> "";
        };
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }
}
