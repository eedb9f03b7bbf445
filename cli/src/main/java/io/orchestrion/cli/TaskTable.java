package io.orchestrion.cli;

import io.orchestrion.sdk.Task;

import java.time.Instant;
import java.util.List;

/// Tasks below each other.
final class TaskTable {
    private final Times times;

    private TaskTable(Times times) {
        this.times = times;
    }

    static PagedTable<Task> of(Invocation run) {
        var rows = new TaskTable(run.times());
        Screen screen = run.screen();
        return new PagedTable<>(
                run, WorkTable.HEAD, rows::row, (task, text) -> screen.status(task.status(), text));
    }

    private List<String> row(Task task) {
        return WorkTable.row(
                task.status().word(),
                task.type(),
                task.id(),
                task.priority(),
                new WorkTable.Attempts(task.attemptCount(), task.maxAttempts()),
                times.relative(task.createdAt()),
                note(task));
    }

    /// What matters most about a task in this status.
    private String note(Task task) {
        Instant due = task.scheduledAt();
        String failure = task.lastFailureReason();
        return switch (task.status()) {
            case CLAIMED -> {
                Long left = task.contract().leaseExpiresInSeconds();
                String lease =
                        left == null || left == 0
                                ? "lease has run out"
                                : "lease ends in " + Times.length(left);
                yield task.claimedBy() == null ? lease : task.claimedBy() + ", " + lease;
            }
            case PENDING ->
                    due != null && due.isAfter(times.now())
                            ? "due " + times.relative(due)
                            : failure == null ? "" : "failed: " + failure;
            case DEAD_LETTER, FAILED -> failure == null ? "" : failure;
            case COMPLETED -> task.outputId() == null ? "" : "output " + task.outputId();
            case CANCELLED, UNKNOWN -> "";
        };
    }
}
