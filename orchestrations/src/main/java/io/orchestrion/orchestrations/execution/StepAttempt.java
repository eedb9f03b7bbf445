package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.retry.SafeRetry;
import io.orchestrion.orchestrations.definition.StepType;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One attempt of a step as its row has it: what users know as a step execution. Its id is that of
/// its work item, if it has one.
///
/// @param seq of its newest event
public record StepAttempt(
        UUID id,
        UUID execution,
        Place place,
        StepStatus status,
        int seq,
        Key key,
        Times times,
        Ended ended) {

    /// @param number counts up within the step and the kind; a guard has that of the attempt that
    ///     it goes before
    /// @param budgetFrom the number of the first attempt that counts against the policy's
    ///     `max_attempts`: a manual retry begins a new budget
    public record Place(
            String stepId, StepType type, AttemptKind kind, int number, int budgetFrom) {
        /// How many attempts of the budget are used up with this one.
        int used() {
            return number - budgetFrom + 1;
        }
    }

    /// @param value the same for all attempts of the step
    /// @param epoch grows when a compensation is recorded
    /// @param declared what the step says about repeating it, as it was in force
    public record Key(String value, int epoch, SafeRetry declared) {}

    /// @param retryAfterMs not to be begun before; null for at once
    /// @param timeoutMs how long the whole step may take from the start of its first attempt on
    /// @param deadlineMs when that is over; null before anybody has begun it
    public record Times(
            long createdMs,
            @Nullable Long retryAfterMs,
            @Nullable Long startedMs,
            @Nullable Long finishedMs,
            long timeoutMs,
            @Nullable Long deadlineMs) {

        private Times begun(long nowMs) {
            long deadline = deadlineMs == null ? nowMs + timeoutMs : deadlineMs;
            return new Times(createdMs, retryAfterMs, nowMs, null, timeoutMs, deadline);
        }

        private Times ended(long nowMs) {
            return new Times(createdMs, retryAfterMs, startedMs, nowMs, timeoutMs, deadlineMs);
        }
    }

    /// What came of it.
    ///
    /// @param result JSON text
    /// @param decision JSON text: what followed, and what that rested on. Written once; null for an
    ///     attempt that ended while its execution was paused, until the execution goes on
    public record Ended(
            @Nullable String result,
            @Nullable StepError error,
            @Nullable Integer retryAfterSeconds,
            @Nullable String logsRef,
            @Nullable String usage,
            @Nullable String decision) {
        static final Ended NOT = new Ended(null, null, null, null, null, null);

        Ended deciding(String json) {
            return new Ended(result, error, retryAfterSeconds, logsRef, usage, json);
        }
    }

    private StepAttempt with(StepStatus to, Times newTimes, Ended newEnded) {
        if (!status.mayBecome(to)) {
            throw new IllegalStateException(
                    "step execution " + id + " cannot go from " + status + " to " + to);
        }
        return new StepAttempt(id, execution, place, to, seq + 1, key, newTimes, newEnded);
    }

    StepAttempt begun(long nowMs) {
        return with(StepStatus.RUNNING, times.begun(nowMs), ended);
    }

    StepAttempt asking(long nowMs) {
        return with(StepStatus.AWAITING_APPROVAL, times.begun(nowMs), ended);
    }

    StepAttempt ended(StepStatus to, long nowMs, Ended other) {
        return with(to, times.ended(nowMs), other);
    }

    /// With what followed from its end.
    StepAttempt deciding(String json) {
        return new StepAttempt(id, execution, place, status, seq, key, times, ended.deciding(json));
    }

    /// Whether something is to follow from it when the execution goes on.
    boolean isUnapplied() {
        return status.isTerminal() && ended.decision() == null;
    }
}
