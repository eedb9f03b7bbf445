package io.orchestrion.kernel.retry;

import java.util.Locale;

/// What follows from a failed attempt, as far as the attempt itself decides that.
public sealed interface FailureDecision {
    /// Another attempt, not before that time.
    ///
    /// @param guarded whether a guard has to say first that the failed attempt did not get through
    record Retry(long atMs, boolean guarded) implements FailureDecision {}

    /// No further attempt.
    record GiveUp(Reason reason) implements FailureDecision {}

    /// Why there is no further attempt.
    enum Reason {
        ATTEMPTS_EXHAUSTED,
        NON_RETRYABLE,
        COMPENSATION_REQUIRED,
        NOT_SAFE_TO_RETRY,
        TIMED_OUT,
        GUARD_FAILED,
        COMPENSATION_FAILED;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }
    }

    long MILLIS_PER_SECOND = 1_000;

    /// In this order: what may not be repeated is not, whatever the policy says; then the policy;
    /// then time. Pure: the same attempt, policy and draw always give the same decision.
    ///
    /// @param dependencyFactor how many times as long as usual a failed dependency is left alone
    /// @param draw from 0 to less than 1, drawn at random, for delays with jitter
    static FailureDecision of(
            FailedAttempt failed, RetryPolicy policy, int dependencyFactor, double draw) {
        ErrorClass errorClass = failed.errorClass();
        if (errorClass == ErrorClass.COMPENSATION_REQUIRED) {
            return new GiveUp(Reason.COMPENSATION_REQUIRED);
        }
        if (!errorClass.isRetried()) {
            return new GiveUp(failed.timedOut() ? Reason.TIMED_OUT : Reason.NON_RETRYABLE);
        }
        if (failed.declared() == SafeRetry.NOT_SAFE_TO_RETRY) {
            return new GiveUp(Reason.NOT_SAFE_TO_RETRY);
        }
        if (!policy.retryOn().contains(errorClass)) {
            return new GiveUp(failed.timedOut() ? Reason.TIMED_OUT : Reason.NON_RETRYABLE);
        }
        if (failed.attempts() >= policy.maxAttempts()) {
            return new GiveUp(failed.timedOut() ? Reason.TIMED_OUT : Reason.ATTEMPTS_EXHAUSTED);
        }
        long at = retryAt(failed, policy, dependencyFactor, draw);
        if (failed.deadlineMs() != null && at >= failed.deadlineMs()) {
            return new GiveUp(Reason.TIMED_OUT);
        }
        return new Retry(at, failed.declared() == SafeRetry.SAFE_TO_RETRY_WITH_GUARD);
    }

    private static long retryAt(
            FailedAttempt failed, RetryPolicy policy, int dependencyFactor, double draw) {
        long own = policy.delayMs(failed.attempts(), failed.errorClass(), dependencyFactor, draw);
        Integer asked = failed.retryAfterSeconds();
        long wanted = asked == null ? 0 : asked * MILLIS_PER_SECOND;
        return Math.max(failed.nowMs(), failed.failedMs() + Math.max(own, wanted));
    }
}
