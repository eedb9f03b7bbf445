package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;

/// What a worker reports of an attempt beside its result.
///
/// ```java
/// client.fail(claimed, TaskReport.failure("rate_limited", "the service is busy")
///         .httpStatus(429).retryAfter(Duration.ofSeconds(30)).build());
/// ```
///
/// @param error why it failed; null for an attempt that succeeded
/// @param usage JSON text of an object: what the attempt used up, or null
/// @param logsRef where the logs of the attempt are kept, or null
public record TaskReport(
        @Nullable ReportedError error, @Nullable String usage, @Nullable String logsRef) {
    /// Nothing beside the result.
    public static final TaskReport NOTHING = new TaskReport(null, null, null);

    /// Why an attempt failed, in a form for programs.
    ///
    /// @param code letters, digits and `_.:-`, at most 100
    /// @param httpStatus what the service answered that was called, or null
    /// @param message at most 500 characters
    /// @param retryAfter how long the service asked to be left alone, or null
    /// @param partialSideEffect whether something was done that another attempt would do again, or
    ///     null for nothing said
    public record ReportedError(
            String code,
            @Nullable Integer httpStatus,
            String message,
            @Nullable Duration retryAfter,
            @Nullable Boolean partialSideEffect) {}

    /// Of an attempt that succeeded.
    public static Builder success() {
        return new Builder(null, null);
    }

    /// Of an attempt that failed.
    public static Builder failure(String code, String message) {
        return new Builder(code, message);
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

    /// Collects what a report is made of.
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

        /// Of a failure: what the service answered that was called, 100 to 599.
        public Builder httpStatus(int status) {
            httpStatus = status;
            return this;
        }

        /// Of a failure: how long to wait before the next attempt, in whole seconds.
        public Builder retryAfter(Duration wait) {
            retryAfter = wait;
            return this;
        }

        /// Of a failure: whether something was done that another attempt would do again.
        public Builder partialSideEffect(boolean done) {
            partialSideEffect = done;
            return this;
        }

        /// JSON text of an object, at most 4096 bytes.
        public Builder usage(String json) {
            usage = json;
            return this;
        }

        /// At most 500 characters.
        public Builder logsRef(String where) {
            logsRef = where;
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
