package io.orchestrion.runs.tree;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.UUID;

/// One attempt of a step, which is one item of the queue.
///
/// @param id of its item, too
/// @param applied whether what follows from its end has followed
/// @param held credits of the run that are kept for it
public record StepAttempt(
        UUID id,
        UUID run,
        UUID step,
        Number number,
        AttemptStatus status,
        boolean applied,
        BigDecimal held,
        Times times,
        Ended ended) {

    /// Which attempt it is, on each level.
    public record Number(int ofRun, int ofAgent, int ofTask, int ofStep) {
        /// The same for the same attempt, whoever makes it.
        public String message(UUID run, UUID step) {
            return "run:" + run + ":" + ofRun + ":step:" + step + ":" + ofAgent + "." + ofTask + "."
                    + ofStep;
        }
    }

    public record Times(
            long createdMs,
            @Nullable Long notBeforeMs,
            @Nullable Long startedMs,
            @Nullable Long endedMs) {}

    /// What its end left.
    ///
    /// @param partial whether something may be half done
    /// @param usage JSON text of what it used
    public record Ended(
            @Nullable String errorCode,
            @Nullable Integer httpStatus,
            @Nullable String message,
            @Nullable Boolean partial,
            @Nullable Integer retryAfterSeconds,
            @Nullable String usage,
            @Nullable String logsRef,
            @Nullable String worker) {
        public static final Ended NOT = new Ended(null, null, null, null, null, null, null, null);
    }

    public StepAttempt ended(AttemptStatus how, long nowMs, boolean appliedNow, Ended end) {
        return new StepAttempt(
                id,
                run,
                step,
                number,
                how,
                appliedNow,
                held,
                new Times(times.createdMs, times.notBeforeMs, times.startedMs, nowMs),
                end);
    }
}
