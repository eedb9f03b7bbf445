package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.redact.Redaction;
import io.orchestrion.kernel.retry.ErrorClass;
import io.orchestrion.kernel.work.WorkError;

import org.jspecify.annotations.Nullable;

import java.util.Objects;

/// Why an attempt failed, as it is stored and shown.
///
/// @param httpStatus that a called service answered
/// @param summary for people, without secrets
/// @param overridden whether the definition's own table named the class
public record StepError(
        ErrorClass errorClass,
        String code,
        @Nullable Integer httpStatus,
        String summary,
        boolean overridden) {

    static StepError of(WorkError error, ErrorClass errorClass, boolean overridden) {
        return new StepError(
                errorClass,
                error.code(),
                error.httpStatus(),
                Objects.requireNonNull(Redaction.summary(error.message())),
                overridden);
    }
}
