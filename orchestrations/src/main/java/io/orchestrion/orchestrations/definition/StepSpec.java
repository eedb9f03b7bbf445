package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.retry.RetryPolicy;
import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.expression.Mapping;

import org.jspecify.annotations.Nullable;

/// One step of a definition, with defaults filled in.
///
/// @param timeoutMs how long the step may take with all attempts and the delays between them
/// @param retryPolicy its own or the definition's
/// @param input what the handler or the approver gets; null for the execution's input. Null for
///     decisions and waits, which take none
/// @param guard asked before a repetition; given where the step is safe to retry with a guard
/// @param compensation undoes the step
/// @param onSuccess of a decision: always terminal, as its branches say where to go
/// @param onTimeout the failure's route where the definition names none
public record StepSpec(
        String id,
        String name,
        long timeoutMs,
        RetryPolicy retryPolicy,
        SafeRetry safeRetry,
        @Nullable Mapping input,
        @Nullable Handler guard,
        @Nullable Handler compensation,
        CompensationPolicy compensationPolicy,
        Route onSuccess,
        Route onFailure,
        Route onTimeout,
        StepDetails details) {
    public StepType type() {
        return details.type();
    }
}
