package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.regex.Pattern;

/// What a worker reports about an attempt beside its result.
///
/// ```java
/// client.fail(claimed, TaskReport.failure("rate_limited", "the service is busy")
///         .httpStatus(429).retryAfter(Duration.ofSeconds(30)).build());
/// ```
///
/// The builder throws an [IllegalArgumentException] for what the server would refuse. A message
/// that is too long is cut.
///
/// @param error why the attempt failed; null for an attempt that succeeded
/// @param usage JSON text of an object: what the attempt used, or null
/// @param logsRef where the logs of the attempt are kept, or null
public record TaskReport(
        @Nullable ReportedError error, @Nullable String usage, @Nullable String logsRef) {
    /// Nothing beside the result.
    public static final TaskReport NOTHING = new TaskReport(null, null, null);

    static final int MESSAGE_MAX = 500;
    private static final int LOGS_REF_MAX = 500;
    private static final int USAGE_MAX_BYTES = 4096;
    private static final int USAGE_MAX_DEPTH = 4;
    private static final Duration RETRY_AFTER_MAX = Duration.ofDays(30);
    private static final Pattern CODE = Pattern.compile("[A-Za-z0-9_.:-]{1,100}");

    /// Why an attempt failed, in a form for programs.
    ///
    /// @param code letters, digits and `_.:-`, at most 100
    /// @param httpStatus the HTTP status of the service that was called, or null
    /// @param message at most 500 characters
    /// @param retryAfter how long the service asked not to be called, or null
    /// @param partialSideEffect whether something was done that another attempt would do again;
    ///     null if nothing is said about it
    public record ReportedError(
            String code,
            @Nullable Integer httpStatus,
            String message,
            @Nullable Duration retryAfter,
            @Nullable Boolean partialSideEffect) {}

    /// The report of an attempt that succeeded.
    public static Builder success() {
        return new Builder(null, null);
    }

    /// The report of an attempt that failed.
    ///
    /// @param code letters, digits and `_.:-`, at most 100
    /// @param message cut after 500 characters; the code if it is blank
    public static Builder failure(String code, String message) {
        if (!CODE.matcher(code).matches()) {
            throw new IllegalArgumentException(
                    "code must be 1 to 100 letters, digits and _.:-, not " + code);
        }
        return new Builder(code, message.isBlank() ? code : Texts.clean(message, MESSAGE_MAX));
    }

    /// A builder with the values of this report. It checks a report that was made without a
    /// builder.
    Builder change() {
        Builder builder = error == null ? success() : failure(error.code(), error.message());
        if (error != null) {
            if (error.httpStatus() != null) {
                builder.httpStatus(error.httpStatus());
            }
            if (error.retryAfter() != null) {
                builder.retryAfter(error.retryAfter());
            }
            if (error.partialSideEffect() != null) {
                builder.partialSideEffect(error.partialSideEffect());
            }
        }
        if (usage != null) {
            builder.usage(usage);
        }
        if (logsRef != null) {
            builder.logsRef(logsRef);
        }
        return builder;
    }

    /// This report, completed with the values of another where this one has none.
    TaskReport or(TaskReport other) {
        return new TaskReport(
                error == null ? other.error : error,
                usage == null ? other.usage : usage,
                logsRef == null ? other.logsRef : logsRef);
    }

    void addTo(ObjectNode body) {
        if (error != null) {
            ObjectNode sent = body.putObject("error");
            sent.put("code", error.code()).put("message", error.message());
            if (error.httpStatus() != null) {
                sent.put("http_status", error.httpStatus());
            }
            if (error.retryAfter() != null) {
                sent.put("retry_after_seconds", error.retryAfter().toSeconds());
            }
            if (error.partialSideEffect() != null) {
                sent.put("partial_side_effect", error.partialSideEffect());
            }
        }
        if (usage != null) {
            Json.putRaw(body, "usage", usage);
        }
        if (logsRef != null) {
            body.put("logs_ref", logsRef);
        }
    }

    /// Builds a report.
    ///
    /// ```java
    /// TaskReport used = TaskReport.success().usage("{\"tokens\":1200}").build();
    /// client.complete(claimed, "{}", used);
    /// ```
    public static final class Builder {
        private final @Nullable String code;
        private final @Nullable String message;
        private @Nullable Integer httpStatus;
        private @Nullable Duration retryAfter;
        private @Nullable Boolean partialSideEffect;
        private @Nullable String usage;
        private @Nullable String logsRef;

        private Builder(@Nullable String code, @Nullable String message) {
            this.code = code;
            this.message = message;
        }

        /// Of a failure: the HTTP status of the service that was called, 100 to 599.
        public Builder httpStatus(int status) {
            if (status < 100 || status > 599) {
                throw new IllegalArgumentException(
                        "http_status must be from 100 to 599, not " + status);
            }
            httpStatus = status;
            return this;
        }

        /// Of a failure: how long to wait before the next attempt, at most 30 days. A part of a
        /// second counts as a whole second.
        public Builder retryAfter(Duration wait) {
            if (wait.isNegative()) {
                throw new IllegalArgumentException("retry_after_seconds must not be negative");
            }
            Duration whole = Duration.ofSeconds(wait.plusNanos(999_999_999).toSeconds());
            retryAfter = whole.compareTo(RETRY_AFTER_MAX) < 0 ? whole : RETRY_AFTER_MAX;
            return this;
        }

        /// Of a failure: whether something was done that another attempt would do again.
        public Builder partialSideEffect(boolean done) {
            partialSideEffect = done;
            return this;
        }

        /// JSON text of an object, at most 4096 bytes without blanks, and 4 levels deep.
        public Builder usage(String json) {
            ObjectNode object = Json.object(json, "usage");
            String compact = Json.text(object);
            int bytes = compact.getBytes(StandardCharsets.UTF_8).length;
            if (bytes > USAGE_MAX_BYTES) {
                throw new IllegalArgumentException(
                        "usage must have at most " + USAGE_MAX_BYTES + " bytes, not " + bytes);
            }
            if (depth(object) > USAGE_MAX_DEPTH) {
                throw new IllegalArgumentException(
                        "usage must be nested at most " + USAGE_MAX_DEPTH + " levels deep");
            }
            usage = compact;
            return this;
        }

        /// The depth as the server counts it: 0 for a scalar, 1 for an empty object.
        private static int depth(JsonNode node) {
            return node.isObject() || node.isArray()
                    ? 1 + node.valueStream().mapToInt(Builder::depth).max().orElse(0)
                    : 0;
        }

        /// 1 to 500 characters.
        public Builder logsRef(String where) {
            int length = where.codePointCount(0, where.length());
            if (length < 1 || length > LOGS_REF_MAX) {
                throw new IllegalArgumentException(
                        "logs_ref must have 1 to " + LOGS_REF_MAX + " characters, not " + length);
            }
            logsRef = Texts.clean(where, LOGS_REF_MAX);
            return this;
        }

        public TaskReport build() {
            if (code == null || message == null) {
                if (httpStatus != null || retryAfter != null || partialSideEffect != null) {
                    throw new IllegalArgumentException("only a failure has these");
                }
                return new TaskReport(null, usage, logsRef);
            }
            return new TaskReport(
                    new ReportedError(code, httpStatus, message, retryAfter, partialSideEffect),
                    usage,
                    logsRef);
        }
    }
}
