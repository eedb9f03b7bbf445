package io.orchestrion.cli;

import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskStatus;

import java.io.PrintStream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/// Tasks below each other, a page at a time; later pages keep the first one's columns.
final class TaskTable {
    private static final List<String> HEAD =
            List.of("STATUS", "TYPE", "ID", "PRIORITY", "ATTEMPTS", "CREATED", "NOTE");
    private static final int NOTE_MAX = 60;

    private final PrintStream out;
    private final Screen screen;
    private final Times times;
    private List<Integer> widths = List.of();
    private int shown;

    TaskTable(PrintStream out, Screen screen, Times times) {
        this.out = out;
        this.screen = screen;
        this.times = times;
    }

    int shown() {
        return shown;
    }

    void add(List<Task> tasks) {
        if (tasks.isEmpty()) {
            return;
        }
        var rows = new ArrayList<List<String>>();
        if (shown == 0) {
            rows.add(HEAD);
        }
        tasks.forEach(task -> rows.add(row(task)));
        widths = Screen.widths(widths, rows);
        int first = shown == 0 ? 1 : 0;
        if (first == 1) {
            out.println(screen.strong(line(HEAD).stripTrailing()));
        }
        for (int i = 0; i < tasks.size(); i++) {
            TaskStatus status = tasks.get(i).status();
            List<String> row = rows.get(first + i);
            String lead = Screen.padded(row.getFirst(), widths.getFirst());
            String rest = line(row).substring(lead.length()).stripTrailing();
            out.println(screen.status(status, lead) + rest);
        }
        shown += tasks.size();
    }

    private String line(List<String> row) {
        var line = new StringBuilder();
        for (int i = 0; i < row.size(); i++) {
            line.append(i == 0 ? "" : "  ").append(Screen.padded(row.get(i), widths.get(i)));
        }
        return line.toString();
    }

    private List<String> row(Task task) {
        return List.of(
                task.status().word(),
                Screen.clean(task.type()),
                task.id().toString(),
                String.valueOf(task.priority()),
                task.attemptCount() + "/" + task.maxAttempts(),
                times.relative(task.createdAt()),
                Screen.shortened(Screen.clean(note(task)), NOTE_MAX));
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
            case DEAD_LETTER -> failure == null ? "" : failure;
            case COMPLETED -> task.outputId() == null ? "" : "output " + task.outputId();
            case CANCELLED, UNKNOWN -> "";
        };
    }
}
