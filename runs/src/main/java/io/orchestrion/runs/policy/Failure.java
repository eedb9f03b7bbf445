package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.retry.ErrorClass;

import org.jspecify.annotations.Nullable;

/// An error of an attempt, as the policy sees it.
///
/// @param code as it is stored and shown
/// @param httpStatus that a called service answered
/// @param retryAfterSeconds how long the one who failed asks to be left alone
public record Failure(
        String code,
        @Nullable Integer httpStatus,
        ErrorClass errorClass,
        @Nullable Integer retryAfterSeconds) {

    public boolean retryable() {
        return errorClass.isRetried();
    }

    void write(JsonWriter out) {
        out.text("code", code);
        if (httpStatus != null) {
            out.integer("http_status", httpStatus);
        }
        out.text("class", errorClass.name()).bool("retryable", retryable());
        if (retryAfterSeconds != null) {
            out.integer("retry_after_seconds", retryAfterSeconds);
        }
    }
}
