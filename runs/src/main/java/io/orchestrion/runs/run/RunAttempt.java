package io.orchestrion.runs.run;

import io.orchestrion.runs.state.RunStatus;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.UUID;

/// One attempt of a run, with what it was given, used and gave back.
///
/// @param outcome null while it is under way
public record RunAttempt(
        UUID run,
        int number,
        @Nullable RunStatus outcome,
        Sums credits,
        @Nullable String errorCode,
        @Nullable String error,
        long startedMs,
        @Nullable Long endedMs) {

    public record Sums(BigDecimal reserved, BigDecimal charged, BigDecimal refunded) {}
}
