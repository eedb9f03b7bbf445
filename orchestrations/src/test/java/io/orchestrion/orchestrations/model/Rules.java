package io.orchestrion.orchestrations.model;

import io.orchestrion.orchestrations.model.Flow.Policy;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/// What the specification says of errors, written down a second time.
final class Rules {
    static final String COMPENSATION = "COMPENSATION_REQUIRED";
    static final String FINAL = "NON_RETRYABLE";

    private static final Map<String, String> CODES =
            Map.of(
                    "optimistic_lock_conflict", "RETRYABLE",
                    "rate_limited", "RATE_LIMITED",
                    "dependency_failed", "DEPENDENCY_FAILED",
                    "odd", "TRANSIENT",
                    "torn", COMPENSATION);
    private static final Map<Integer, String> STATUSES =
            Map.of(
                    502, "TRANSIENT",
                    503, "TRANSIENT",
                    504, "TRANSIENT",
                    412, "RETRYABLE",
                    429, "RATE_LIMITED",
                    424, "DEPENDENCY_FAILED");
    private static final Set<String> RETRIED =
            Set.of("TRANSIENT", "RETRYABLE", "RATE_LIMITED", "DEPENDENCY_FAILED");

    private Rules() {}

    /// What a worker or a called service says.
    ///
    /// @param unknown whether nobody knows what came of it
    record Failure(
            String code,
            @Nullable Integer status,
            boolean partial,
            @Nullable Integer retryAfter,
            boolean unknown) {}

    /// @param mayRepeat false for the own work of a step that is not safe to retry
    static String errorClass(Failure failure, boolean mayRepeat) {
        if (failure.partial()) {
            return COMPENSATION;
        }
        if (failure.unknown()) {
            return mayRepeat ? "TRANSIENT" : COMPENSATION;
        }
        String byCode = CODES.get(failure.code());
        if (byCode != null) {
            return byCode;
        }
        return failure.code().equals("connect_failed")
                ? "TRANSIENT"
                : failure.status() == null ? FINAL : STATUSES.getOrDefault(failure.status(), FINAL);
    }

    /// Why there is no further attempt; null where there may be one, if there is time.
    static @Nullable String finalReason(Attempt failed, boolean mayRepeat) {
        Policy policy = failed.step.policy();
        String errorClass = String.valueOf(failed.errorClass);
        boolean timedOut = failed.status.equals("timed_out");
        if (errorClass.equals(COMPENSATION)) {
            return "compensation_required";
        }
        if (failed.tooLong || failed.status.equals("skipped")) {
            return "timed_out";
        }
        if (!RETRIED.contains(errorClass)) {
            return "non_retryable";
        }
        if (!mayRepeat) {
            return "not_safe_to_retry";
        }
        if (!policy.retryOn().contains(errorClass)) {
            return timedOut ? "timed_out" : "non_retryable";
        }
        if (failed.used() >= policy.max()) {
            return timedOut ? "timed_out" : "attempts_exhausted";
        }
        return null;
    }

    /// How long the next attempt is put off. Chance is fixed in the middle: jitter takes a quarter.
    static long delay(Attempt failed) {
        Policy policy = failed.step.policy();
        long growing =
                Math.min(policy.longestMs(), policy.initialMs() << Math.min(20, failed.used() - 1));
        long delay =
                switch (policy.strategy()) {
                    case "fixed" -> policy.initialMs();
                    case "jittered" -> growing * 3 / 4;
                    default -> growing;
                };
        int factor = "DEPENDENCY_FAILED".equals(failed.errorClass) ? 4 : 1;
        long asked = failed.retryAfter == null ? 0 : failed.retryAfter * 1000L;
        return Math.max(asked, delay * factor);
    }
}
