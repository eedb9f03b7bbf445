package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Thrown by a handler to fail its task with an error that programs understand.
///
/// ```java
/// TaskHandler charge = task -> {
///     int status = task.payloadJson().path("status").asInt();
///     if (status == 429) {
///         throw TaskFailure.rateLimited(Duration.ofSeconds(30));
///     }
///     if (status == 400) {
///         throw TaskFailure.invalid("The order has no amount.").withHttpStatus(400);
///     }
///     return null;
/// };
/// ```
///
/// A plain task is tried again until its attempts are used up, whatever the failure. For a step of
/// an orchestration or a run the server decides by the code, the HTTP status and
/// `partial_side_effect` whether there is another attempt. A worker has no other way to say it. The
/// factories set these three for the usual cases:
///
/// | factory | code | HTTP status | what it means for a step |
/// |---|---|---|---|
/// | [#rateLimited(Duration)] | `rate_limited` | 429 | tried again after the given time |
/// | [#unavailable] | `unavailable` | 503 | tried again soon |
/// | [#dependencyFailed] | `dependency_failed` | 424 | tried again after a longer wait |
/// | [#invalid] | `invalid` | 422 | not tried again: it would fail again |
/// | [#partialSideEffect] | `partial_side_effect` | | not tried again: somebody has to look at it |
/// | [#of] | yours | | not tried again, unless the server knows the code |
public final class TaskFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryAfter;
    private final transient TaskReport report;

    /// A failure with a reason for people only.
    ///
    /// @param retryAfter one second to a day
    public TaskFailure(String reason, Duration retryAfter) {
        this(reason, retryAfter, TaskReport.NOTHING);
    }

    /// @param report of a failure, see [TaskReport#failure]
    /// @throws IllegalArgumentException if the server would refuse the report
    public TaskFailure(TaskReport report) {
        this(message(report), null, report.change().build());
    }

    private TaskFailure(String reason, @Nullable Duration retryAfter, TaskReport report) {
        super(reason);
        this.retryAfter = retryAfter;
        this.report = report;
    }

    private static String message(TaskReport report) {
        TaskReport.ReportedError error = report.change().build().error();
        if (error == null) {
            throw new IllegalArgumentException("a failure has an error");
        }
        return error.message();
    }

    /// A failure with a code of the worker's own.
    ///
    /// ```java
    /// throw TaskFailure.of("context_too_long", "The text has 210,000 tokens.");
    /// ```
    ///
    /// @param code letters, digits and `_.:-`, at most 100
    /// @param message cut after 500 characters
    public static TaskFailure of(String code, String message) {
        return new TaskFailure(TaskReport.failure(code, message).build());
    }

    /// A failure with a code and the HTTP status of the service that was called.
    ///
    /// ```java
    /// throw TaskFailure.of("optimistic_lock_conflict", 409, "Somebody changed the order.");
    /// ```
    public static TaskFailure of(String code, int httpStatus, String message) {
        return of(code, message).withHttpStatus(httpStatus);
    }

    /// A service asks not to be called for a while. The task is not claimable before that.
    ///
    /// ```java
    /// throw TaskFailure.rateLimited(Duration.ofSeconds(30));
    /// ```
    public static TaskFailure rateLimited(Duration retryAfter) {
        return rateLimited("The service asks to be left alone for a while.", retryAfter);
    }

    /// The same with the service's own message.
    public static TaskFailure rateLimited(String message, Duration retryAfter) {
        return of("rate_limited", message).withHttpStatus(429).withRetryAfter(retryAfter);
    }

    /// Something that the task needs cannot be reached or does not answer. This passes by itself.
    ///
    /// ```java
    /// throw TaskFailure.unavailable("The index does not answer.").causedBy(e);
    /// ```
    public static TaskFailure unavailable(String message) {
        return of("unavailable", message).withHttpStatus(503);
    }

    /// The task itself is wrong and would fail again.
    ///
    /// ```java
    /// throw TaskFailure.invalid("The payload has no text.");
    /// ```
    public static TaskFailure invalid(String message) {
        return of("invalid", message).withHttpStatus(422);
    }

    /// Something that the task builds on has failed and may need repair first.
    ///
    /// ```java
    /// throw TaskFailure.dependencyFailed("Last night's export is not there.");
    /// ```
    public static TaskFailure dependencyFailed(String message) {
        return of("dependency_failed", message).withHttpStatus(424);
    }

    /// Something was done that another attempt would do again, such as a payment.
    ///
    /// ```java
    /// throw TaskFailure.partialSideEffect("The card was charged, the order was not written.");
    /// ```
    public static TaskFailure partialSideEffect(String message) {
        return of("partial_side_effect", message).withPartialSideEffect(true);
    }

    /// The same with the HTTP status of the service that was called, 100 to 599.
    public TaskFailure withHttpStatus(int status) {
        return with(report.change().httpStatus(status));
    }

    /// The same with a wait before the next attempt, at most 30 days. A plain task waits at most a
    /// day.
    public TaskFailure withRetryAfter(Duration wait) {
        return with(report.change().retryAfter(wait));
    }

    /// The same, and whether something was done that another attempt would do again.
    public TaskFailure withPartialSideEffect(boolean done) {
        return with(report.change().partialSideEffect(done));
    }

    /// The same with what the attempt used, in place of [TaskContext#usage].
    ///
    /// @param json JSON text of an object, at most 4096 bytes, 4 levels
    public TaskFailure withUsage(String json) {
        return with(report.change().usage(json));
    }

    /// The same with where the attempt's logs are kept, in place of [TaskContext#logsRef].
    public TaskFailure withLogsRef(String where) {
        return with(report.change().logsRef(where));
    }

    /// The same with its cause, for the worker's own logs. The cause is not sent.
    public TaskFailure causedBy(Throwable cause) {
        TaskFailure same = new TaskFailure(reason(), retryAfter, report);
        same.initCause(cause);
        return same;
    }

    private TaskFailure with(TaskReport.Builder changed) {
        var failure = new TaskFailure(reason(), retryAfter, changed.build());
        if (getCause() != null) {
            failure.initCause(getCause());
        }
        return failure;
    }

    private String reason() {
        return String.valueOf(getMessage());
    }

    /// The wait before the next attempt; null if the report says it, or if nothing does.
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    /// What is reported to the server.
    public TaskReport report() {
        return report;
    }
}
