package io.orchestrion.runs.model;

import org.jspecify.annotations.Nullable;

/// An error that ended an attempt.
///
/// @param retryAfter in seconds; 0 for none
record Failure(String code, @Nullable Integer status, int retryAfter, boolean partial) {
    static Failure of(String code) {
        return new Failure(code, null, 0, false);
    }

    boolean retryable() {
        return !partial && Rules.isRetried(code, status);
    }
}
