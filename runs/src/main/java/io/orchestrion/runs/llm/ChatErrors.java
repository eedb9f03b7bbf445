package io.orchestrion.runs.llm;

import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.policy.Failures;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Locale;
import java.util.Set;
import java.util.regex.Pattern;

/// Gives what a model's service says, and what keeps it from being reached, the names that the
/// retry policy of runs knows.
final class ChatErrors {
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,9}(\\.[0-9]{1,9})?");
    private static final int MILLIS_PER_SECOND = 1_000;

    private static final int BAD_REQUEST = 400;
    private static final int UNAUTHORIZED = 401;
    private static final int PAYMENT_REQUIRED = 402;
    private static final int FORBIDDEN = 403;
    private static final int NOT_FOUND = 404;
    private static final int REQUEST_TIMEOUT = 408;
    private static final int TOO_LARGE = 413;
    private static final int UNPROCESSABLE = 422;
    private static final int TOO_MANY = 429;
    private static final int SERVER_ERROR = 500;

    /// What services call a prompt that the model has no room for.
    private static final Set<String> CONTEXT_CODES =
            Set.of("context_length_exceeded", "context_window_exceeded", "string_above_max_length");

    private static final Pattern CONTEXT_WORDS =
            Pattern.compile(
                    "context (length|window|size)|maximum context|too many tokens|prompt is too"
                            + " long");

    private static final Set<String> QUOTA_CODES =
            Set.of("insufficient_quota", "billing_hard_limit_reached", "quota_exceeded");

    private ChatErrors() {}

    static WorkError of(CallOutcome.Failed failed) {
        return switch (failed.reason()) {
            case ADDRESS_REFUSED -> error("AuthorizationError", null, failed.detail(), null);
            case UNKNOWN_HOST, CONNECT_FAILED, TLS_FAILED, BROKEN ->
                    error(Failures.CONNECTION, null, failed.detail(), null);
            case TIMED_OUT -> error(Failures.LLM_TIMEOUT, null, failed.detail(), null);
            case TOO_LARGE -> error(Failures.INVALID_OUTPUT, null, failed.detail(), null);
        };
    }

    /// @param body of the answer; null when it is no JSON
    static WorkError of(CallOutcome.Answered answer, @Nullable JsonNode body) {
        return of(answer.status(), body, retryAfterSeconds(answer));
    }

    /// An error that came in a stream that had begun well.
    static WorkError inStream(JsonNode event) {
        JsonNode status = event.path("error").path("code");
        return of(
                status.isInt() && status.intValue() >= BAD_REQUEST && status.intValue() < 600
                        ? status.intValue()
                        : statusOf(event.path("error").path("type").asString("")),
                event,
                null);
    }

    private static int statusOf(String type) {
        String lower = type.toLowerCase(Locale.ROOT);
        if (lower.contains("rate_limit")) {
            return TOO_MANY;
        }
        return lower.contains("invalid_request") ? BAD_REQUEST : SERVER_ERROR;
    }

    private static WorkError of(int status, @Nullable JsonNode body, @Nullable Integer after) {
        String code = code(body);
        String said = "The model's service answered " + status + shown(code) + ".";
        return error(name(status, code, message(body)), status, said, after);
    }

    private static String name(int status, String code, String message) {
        if (QUOTA_CODES.contains(code)) {
            return "QuotaExceededError";
        }
        boolean asked = status == BAD_REQUEST || status == TOO_LARGE || status == UNPROCESSABLE;
        if (asked && isContext(code, message)) {
            return Failures.CONTEXT_WINDOW;
        }
        return switch (status) {
            case BAD_REQUEST, TOO_LARGE, UNPROCESSABLE -> "ValueError";
            case UNAUTHORIZED -> Failures.AUTHENTICATION;
            case PAYMENT_REQUIRED -> "QuotaExceededError";
            case FORBIDDEN -> "AuthorizationError";
            case NOT_FOUND -> "NotFoundError";
            case REQUEST_TIMEOUT -> Failures.LLM_TIMEOUT;
            case TOO_MANY -> Failures.LLM_RATE_LIMIT;
            default -> status >= SERVER_ERROR ? Failures.LLM_SERVICE : Failures.HTTP_ERROR;
        };
    }

    private static boolean isContext(String code, String message) {
        return CONTEXT_CODES.contains(code)
                || CONTEXT_WORDS.matcher(message.toLowerCase(Locale.ROOT)).find();
    }

    /// The word of the service for it; empty without one. Its sentences are not passed on: some
    /// quote a part of the key.
    private static String code(@Nullable JsonNode body) {
        if (body == null) {
            return "";
        }
        JsonNode error = body.path("error");
        JsonNode code = error.path("code").isString() ? error.path("code") : error.path("type");
        return code.asString("");
    }

    private static String message(@Nullable JsonNode body) {
        return body == null ? "" : body.path("error").path("message").asString("");
    }

    private static String shown(String code) {
        return code.matches("[A-Za-z0-9_.-]{1,60}") ? " (" + code + ")" : "";
    }

    /// Rounded up; null when the service does not say.
    private static @Nullable Integer retryAfterSeconds(CallOutcome.Answered answer) {
        Double millis = number(answer.header("retry-after-ms"));
        Double seconds =
                millis == null
                        ? number(answer.header("retry-after"))
                        : Double.valueOf(millis / MILLIS_PER_SECOND);
        return seconds == null
                ? null
                : (int) Math.min(WorkError.RETRY_AFTER_MAX_SECONDS, Math.ceil(seconds));
    }

    private static @Nullable Double number(@Nullable String text) {
        return text != null && DIGITS.matcher(text).matches() ? Double.valueOf(text) : null;
    }

    static WorkError invalidOutput(String message) {
        return error(Failures.INVALID_OUTPUT, null, message, null);
    }

    static WorkError error(
            String code, @Nullable Integer status, String message, @Nullable Integer after) {
        int length = Math.min(message.codePointCount(0, message.length()), WorkError.MESSAGE_MAX);
        String bounded = message.substring(0, message.offsetByCodePoints(0, length));
        return new WorkError(code, status, bounded, after, null);
    }
}
