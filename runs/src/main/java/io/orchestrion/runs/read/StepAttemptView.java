package io.orchestrion.runs.read;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.UUID;

/// An attempt of a step as people see it.
///
/// @param id also of the item that a worker claims
/// @param status one of pending, running, completed, failed and cancelled
public record StepAttemptView(
        UUID id,
        UUID step,
        Number number,
        String status,
        Times times,
        @Nullable Failed failed,
        Used used,
        @Nullable String worker,
        @Nullable String logsRef) {

    /// Its place among all attempts of the step: of the run, of the agent within it, of the task
    /// within that, and its own.
    public record Number(int run, int agent, int task, int own) {}

    public record Times(
            long createdMs,
            @Nullable Long notBeforeMs,
            @Nullable Long startedMs,
            @Nullable Long endedMs) {}

    public record Failed(
            @Nullable String code,
            @Nullable Integer httpStatus,
            @Nullable String message,
            @Nullable Integer retryAfterSeconds) {}

    /// @param tokens null while nothing was reported
    /// @param credits what it was charged
    public record Used(@Nullable Long tokens, @Nullable BigDecimal credits) {}
}
