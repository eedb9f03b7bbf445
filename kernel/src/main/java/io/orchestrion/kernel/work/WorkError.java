package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.JsonText;

import org.jspecify.annotations.Nullable;

/// Why an attempt failed, in a form for programs. A holder reports one, or the kernel itself found
/// the failure.
///
/// @param code what kind of failure it was: a word of the worker, or one of the codes below
/// @param httpStatus what a service answered, where one was called
/// @param message for people
/// @param retryAfterSeconds how long to wait before the next attempt, as whoever failed asks
/// @param partialSideEffect whether something was done that a further attempt would do again
public record WorkError(
        String code,
        @Nullable Integer httpStatus,
        String message,
        @Nullable Integer retryAfterSeconds,
        @Nullable Boolean partialSideEffect) {

    public static final int CODE_MAX = 100;
    public static final int MESSAGE_MAX = 500;
    public static final int HTTP_STATUS_MIN = 100;
    public static final int HTTP_STATUS_MAX = 599;
    public static final int RETRY_AFTER_MAX_SECONDS = 30 * 86_400;

    /// The holder sent no heartbeat before its lease ran out.
    public static final WorkError LEASE_EXPIRED = of("lease_expired", WorkFailures.LEASE_EXPIRED);

    /// The holder gave its lease back before it was done.
    public static final WorkError GIVEN_BACK = of("given_back", WorkFailures.GIVEN_BACK);

    /// The attempt ran longer than it may.
    public static final WorkError TIMED_OUT = of("timed_out", WorkFailures.TIMED_OUT);

    /// The item was not done by the time until which it was wanted.
    public static final WorkError GAVE_UP = of("gave_up", WorkFailures.GAVE_UP);

    /// The code for a handler of the pool that threw an exception.
    public static final String HANDLER_FAILED = "handler_failed";

    /// The code of a failure of which only a sentence is known.
    public static final String UNSPECIFIED = "unspecified";

    /// Checks what no engine or door may get wrong. What a caller may get wrong is checked before.
    public WorkError {
        within("code", code, 1, CODE_MAX);
        within("message", message, 1, MESSAGE_MAX);
        within("httpStatus", httpStatus, HTTP_STATUS_MIN, HTTP_STATUS_MAX);
        within("retryAfterSeconds", retryAfterSeconds, 0, RETRY_AFTER_MAX_SECONDS);
    }

    public static WorkError of(String code, String message) {
        return new WorkError(code, null, message, null, null);
    }

    /// @param sentence for people, of any length; null or empty where there is none
    static WorkError unspecified(@Nullable String sentence) {
        String text = sentence == null || sentence.isEmpty() ? WorkFailures.NO_REASON : sentence;
        int length = Math.min(text.codePointCount(0, text.length()), MESSAGE_MAX);
        return of(UNSPECIFIED, text.substring(0, text.offsetByCodePoints(0, length)));
    }

    private static void within(String name, String text, int min, int max) {
        int length = text.codePointCount(0, text.length());
        if (length < min || length > max) {
            throw new IllegalArgumentException(name + " has " + length + " characters");
        }
    }

    private static void within(String name, @Nullable Integer number, int min, int max) {
        if (number != null && (number < min || number > max)) {
            throw new IllegalArgumentException(name + " is " + number);
        }
    }

    /// As it is stored and shown, under the names of the published contract. Fields without a value
    /// are left out.
    public String json() {
        var out = new StringBuilder("{\"code\":");
        JsonText.append(out, code);
        if (httpStatus != null) {
            out.append(",\"http_status\":").append(httpStatus);
        }
        out.append(",\"message\":");
        JsonText.append(out, message);
        if (retryAfterSeconds != null) {
            out.append(",\"retry_after_seconds\":").append(retryAfterSeconds);
        }
        if (partialSideEffect != null) {
            out.append(",\"partial_side_effect\":").append(partialSideEffect);
        }
        return out.append('}').toString();
    }
}
