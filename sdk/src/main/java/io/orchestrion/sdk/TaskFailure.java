package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Thrown by a handler: the task has failed and should not be tried again before a time, or has
/// failed in a way that programs are to know.
public final class TaskFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryAfter;
    private final transient TaskReport report;

    /// @param retryAfter one second to a day
    public TaskFailure(String reason, Duration retryAfter) {
        super(reason);
        this.retryAfter = retryAfter;
        this.report = TaskReport.NOTHING;
    }

    /// @param report of a failure, see [TaskReport#failure]
    public TaskFailure(TaskReport report) {
        super(message(report));
        this.retryAfter = null;
        this.report = report;
    }

    private static String message(TaskReport report) {
        TaskReport.ReportedError error = report.error();
        if (error == null) {
            throw new IllegalArgumentException("a failure has an error");
        }
        return error.message();
    }

    /// Null where the report says it, if anything does.
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public TaskReport report() {
        return report;
    }
}
