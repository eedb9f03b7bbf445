package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

/// What a handler reports of its item.
public sealed interface Outcome {
    /// @param result JSON text
    /// @param report what else is reported of the attempt; no error
    record Completed(@Nullable String result, Report report) implements Outcome {
        public Completed(@Nullable String result) {
            this(result, Report.NONE);
        }
    }

    /// @param report why it failed, and what else is reported
    /// @param retryable whether another try is worth it, where the profile asks for that
    /// @param delayMs the wait before it, else the profile's
    record Failed(Report report, boolean retryable, @Nullable Long delayMs) implements Outcome {
        public Failed(WorkError error) {
            this(Report.of(error), false, null);
        }
    }

    /// It was not done, and the end of its lease need not be waited for: what that would do is done
    /// at once.
    record GivenBack() implements Outcome {}
}
