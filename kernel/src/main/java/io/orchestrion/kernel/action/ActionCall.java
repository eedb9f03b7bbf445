package io.orchestrion.kernel.action;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A step's call of a function.
///
/// @param account whose step it is; the function sees this account alone
/// @param caller the execution whose step calls
/// @param stepId the step, as its definition names it
/// @param key the same for every attempt of the step, and no other step has it
/// @param traceparent of the span that the step's work is in
public record ActionCall(
        UUID account,
        UUID caller,
        String stepId,
        ActionInput input,
        String key,
        String correlationId,
        @Nullable String traceparent) {
    /// The caller, as transitions and audit entries name who did it.
    public String word() {
        return "execution:" + caller + "/" + stepId;
    }
}
