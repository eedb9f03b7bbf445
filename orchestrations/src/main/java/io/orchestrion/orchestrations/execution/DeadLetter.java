package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.FailureDecision.Reason;
import io.orchestrion.orchestrations.execution.Execution.DefinitionRef;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// A step that failed for good, as its row has it.
///
/// @param stepExecution the last attempt
/// @param seq of its newest event
public record DeadLetter(
        UUID id,
        Origin origin,
        String stepId,
        UUID stepExecution,
        Reason reason,
        Status status,
        int seq,
        StepError error,
        Handling handling) {

    /// Which execution it is of.
    public record Origin(UUID execution, DefinitionRef definition, String correlationId) {
        static Origin of(Execution execution) {
            return new Origin(
                    execution.id(), execution.definition(), execution.asked().correlationId());
        }
    }

    public enum Status {
        /// It stopped the execution, and nobody has done anything about it.
        OPEN,
        /// Another step took over.
        HANDLED,
        /// It was tried again by hand.
        REPROCESSED,
        /// Somebody closed it.
        RESOLVED;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Status::word).toList();
        }

        public static Optional<Status> named(String word) {
            return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
        }
    }

    /// What became of the compensation of a step.
    public enum Compensation {
        NEEDED,
        ASKED,
        RUNNING,
        DONE,
        FAILED,
        REJECTED,
        MARKED;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        static @Nullable Compensation of(@Nullable String word) {
            return word == null ? null : valueOf(word.toUpperCase(Locale.ROOT));
        }
    }

    /// What was done about it, and what is to be done.
    ///
    /// @param action what a person has to do; null where looking is enough
    /// @param compensation what became of it; null where none is needed
    public record Handling(
            long createdMs,
            @Nullable String action,
            @Nullable Compensation compensation,
            @Nullable Long closedMs,
            @Nullable String closedBy,
            @Nullable String note) {}

    /// Whether somebody undoes the step, or is asked whether it is to be undone.
    boolean isBeingCompensated() {
        return handling.compensation() == Compensation.ASKED
                || handling.compensation() == Compensation.RUNNING;
    }

    DeadLetter with(Status to, long nowMs, @Nullable Requester by, @Nullable String note) {
        return new DeadLetter(
                id,
                origin,
                stepId,
                stepExecution,
                reason,
                to,
                seq + 1,
                error,
                new Handling(
                        handling.createdMs(),
                        null,
                        handling.compensation(),
                        nowMs,
                        by == null ? null : by.word(),
                        note));
    }

    DeadLetter with(Compensation other, Reason why, @Nullable String action) {
        return new DeadLetter(
                id,
                origin,
                stepId,
                stepExecution,
                why,
                status,
                why == reason ? seq : seq + 1,
                error,
                new Handling(
                        handling.createdMs(),
                        action,
                        other,
                        handling.closedMs(),
                        handling.closedBy(),
                        handling.note()));
    }
}
