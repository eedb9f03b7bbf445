package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Thrown by a handler: the task has failed, in a way that programs can go by.
///
/// ```java
/// .handler(task -> {
///     Answer answer = service.call(task.payload());
///     if (answer.status() == 429) {
///         throw TaskFailure.rateLimited(answer.retryAfter());
///     }
///     if (answer.status() == 400) {
///         throw TaskFailure.invalid(answer.message()).withHttpStatus(400);
///     }
///     return answer.json();
/// })
/// ```
///
/// A plain task comes back until its attempts are used up, whatever the failure. For a step of an
/// orchestration or a run the server decides by code, HTTP status and `partial_side_effect`
/// whether there is another attempt; a worker cannot say it in any other way. The factories choose
/// these for the cases that there are:
///
/// | factory | code | HTTP status | what it means for a step |
/// |---|---|---|---|
/// | [#rateLimited(Duration)] | `rate_limited` | 429 | again, after the time asked for |
/// | [#unavailable] | `unavailable` | 503 | again, soon |
/// | [#dependencyFailed] | `dependency_failed` | 424 | again, after a longer wait |
/// | [#invalid] | `invalid` | 422 | not again: it would fail again |
/// | [#partialSideEffect] | `partial_side_effect` | | not again: somebody has to look at it |
/// | [#of] | yours | | not again, unless the code is a known one |
public final class TaskFailure extends Exception {
    private static final long serialVersionUID = 1;

    private final @Nullable Duration retryAfter;
    private final transient TaskReport report;

    /// With a reason for people only.
    ///
    /// @param retryAfter one second to a day
    public TaskFailure(String reason, Duration retryAfter) {
        this(reason, retryAfter, TaskReport.NOTHING);
    }

    /// @param report of a failure, see [TaskReport#failure]
    /// @throws IllegalArgumentException for a report that the server would not take
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

    /// A service wants to be left alone for a while; the task comes back no sooner.
    ///
    /// ```java
    /// throw TaskFailure.rateLimited(Duration.ofSeconds(30));
    /// ```
    public static TaskFailure rateLimited(Duration retryAfter) {
        return rateLimited("The service asks to be left alone for a while.", retryAfter);
    }

    /// The same in the service's own words.
    public static TaskFailure rateLimited(String message, Duration retryAfter) {
        return of("rate_limited", message).withHttpStatus(429).withRetryAfter(retryAfter);
    }

    /// What the task needs cannot be reached or does not answer, which passes by itself.
    ///
    /// ```java
    /// throw TaskFailure.unavailable("The index does not answer.").causedBy(e);
    /// ```
    public static TaskFailure unavailable(String message) {
        return of("unavailable", message).withHttpStatus(503);
    }

    /// The task itself is wrong, and would be the next time.
    ///
    /// ```java
    /// throw TaskFailure.invalid("The payload has no text.");
    /// ```
    public static TaskFailure invalid(String message) {
        return of("invalid", message).withHttpStatus(422);
    }

    /// Something that the task builds on has failed, and may have to be mended first.
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

    /// The same with what the service answered that was called, 100 to 599.
    public TaskFailure withHttpStatus(int status) {
        return with(report.change().httpStatus(status));
    }

    /// The same with a wait before the next attempt, at most 30 days. A plain task waits a day at
    /// the most.
    public TaskFailure withRetryAfter(Duration wait) {
        return with(report.change().retryAfter(wait));
    }

    /// The same, and whether something was done that another attempt would do again.
    public TaskFailure withPartialSideEffect(boolean done) {
        return with(report.change().partialSideEffect(done));
    }

    /// The same with what the attempt used up, in place of what [TaskContext#usage] said.
    ///
    /// @param json JSON text of an object, at most 4096 bytes, 4 levels
    public TaskFailure withUsage(String json) {
        return with(report.change().usage(json));
    }

    /// The same with where the attempt's logs are kept, in place of what [TaskContext#logsRef]
    /// said.
    public TaskFailure withLogsRef(String where) {
        return with(report.change().logsRef(where));
    }

    /// The same with what led to it, for the worker's own logs: it is not sent.
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

    /// Null where the report says it, if anything does.
    public @Nullable Duration retryAfter() {
        return retryAfter;
    }

    public TaskReport report() {
        return report;
    }
}
