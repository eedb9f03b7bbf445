package io.orchestrion.runs.model;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;

/// Figures and tables of the contract, written down once more.
final class Rules {
    static final int TASKS_AT_ONCE = 5;
    static final int STEPS_AT_ONCE = 3;
    static final int ATTEMPTS = 3;
    static final int ROUNDS = 100;

    static final long LEASE_MS = 60_000;
    static final long HEARTBEAT_MS = 60_000;
    static final long WINDOW_MS = 300_000;
    static final long DELAY_MAX_MS = 30_000;

    /// Credits are counted in millionths here: a token is a thousandth.
    static final long TOKEN = 1_000;

    static final long STEP_LEAST = 10_000;
    static final long ATTEMPT_LEAST = 10_000_000;

    static final String CREDITS = "InsufficientCreditsError";
    static final String TIMEOUT = "TimeoutError";
    static final String INVALID = "InvalidOutputError";

    /// R-247..R-257, without those that are matched by status.
    static final List<String> RETRIED =
            List.of(
                    "ConnectionError",
                    "TimeoutError",
                    "MemoryError",
                    "DiskError",
                    "LLMRateLimitError",
                    "LLMTimeoutError",
                    "LLMServiceError");

    /// R-258..R-268, and some that no list has.
    static final List<String> FINAL =
            List.of(
                    "ValueError",
                    "TypeError",
                    "SchemaValidationError",
                    "AuthenticationError",
                    "AuthorizationError",
                    "TokenExpiredError",
                    "NotFoundError",
                    "FileNotFoundError",
                    "InsufficientCreditsError",
                    "QuotaExceededError",
                    "FeatureNotEnabledError",
                    "ToolCrashError",
                    "ImportError",
                    "ContextWindowExceededError",
                    "SomethingElse");

    static final Set<Integer> STATUSES = Set.of(429, 502, 503, 504);

    /// Every change of a run that there is: R-100..R-109.
    static final Map<String, Set<String>> CHANGES =
            Map.of(
                    "created", Set.of("pending", "cancelled"),
                    "pending", Set.of("running", "cancelled", "failed"),
                    "running", Set.of("completed", "failed", "paused", "cancelled", "skipped"),
                    "paused", Set.of("resuming", "cancelled"),
                    "resuming", Set.of("running", "failed"),
                    "failed", Set.of("retrying"),
                    "retrying", Set.of("pending", "failed"));

    private Rules() {}

    static boolean isRetried(String code, @Nullable Integer status) {
        return code.equals("HTTPError")
                ? status != null && STATUSES.contains(status)
                : RETRIED.contains(code) || code.equals("lease_expired");
    }

    /// Before another attempt, after so many: 100, 200, 400 ms and so on. Chance takes the middle.
    static long backoff(int attempts) {
        return 100L << Math.min(attempts - 1, 30);
    }

    static long delay(int attempts) {
        return Math.min(backoff(attempts), DELAY_MAX_MS);
    }

    static boolean over(String status) {
        return Set.of("completed", "failed", "cancelled", "skipped").contains(status);
    }
}
