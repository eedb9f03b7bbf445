package io.orchestrion.cli;

import io.orchestrion.sdk.QueueJob;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// Jobs of the queue below each other.
final class JobTable {
    private static final List<String> HEAD =
            List.of("STATUS", "TYPE", "ID", "PRIORITY", "ATTEMPTS", "CREATED", "NOTE");
    private static final int NOTE_MAX = 60;

    private final Times times;

    private JobTable(Times times) {
        this.times = times;
    }

    static PagedTable<QueueJob> of(Invocation run) {
        var rows = new JobTable(run.times());
        Screen screen = run.screen();
        return new PagedTable<>(
                run, HEAD, rows::row, (job, text) -> screen.status(job.status(), text));
    }

    private List<String> row(QueueJob job) {
        return List.of(
                job.status().word(),
                Screen.clean(job.type()),
                job.id().toString(),
                String.valueOf(job.priority()),
                job.attempt() + "/" + job.maxAttempts(),
                times.relative(job.createdAt()),
                Screen.shortened(Screen.clean(note(job)), NOTE_MAX));
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
