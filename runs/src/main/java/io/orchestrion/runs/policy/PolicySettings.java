package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

import java.math.BigDecimal;

/// The thresholds of all decisions.
///
/// @param baseDelayMs before the second attempt; twice as long before each further one
/// @param maxDelayMs the longest delay. When more is due, people are asked
/// @param jitter the share of the delay that chance adds or takes away
/// @param windowMs how long an error counts
/// @param errors of a run within the window, above which people are asked
/// @param errorShare of the outcomes within the window, above which people are asked
/// @param outcomesLeast within the window, below which shares mean nothing
/// @param agentShare of the agents of a plan: when more have failed, another plan is made
/// @param failedTasks of a plan: when more have failed, another plan is made
/// @param attemptCredits that must be available at the least for another attempt of a run
public record PolicySettings(
        long baseDelayMs,
        long maxDelayMs,
        double jitter,
        long windowMs,
        int errors,
        double errorShare,
        int outcomesLeast,
        double agentShare,
        int failedTasks,
        BigDecimal attemptCredits) {
    /// As the contract has them.
    public static final PolicySettings USUAL =
            new PolicySettings(100, 30_000, 0.1, 300_000, 5, 0.5, 5, 0.5, 10, BigDecimal.TEN);

    public PolicySettings {
        if (baseDelayMs < 1 || maxDelayMs < baseDelayMs || jitter < 0 || jitter >= 1) {
            throw new IllegalArgumentException("1 ≤ base ≤ longest delay, and jitter below 1");
        }
        if (windowMs < 1 || errors < 0 || outcomesLeast < 1 || failedTasks < 0) {
            throw new IllegalArgumentException("a threshold is too small");
        }
        if (!isShare(errorShare) || !isShare(agentShare) || attemptCredits.signum() < 0) {
            throw new IllegalArgumentException("a share is none, or credits are negative");
        }
    }

    private static boolean isShare(double share) {
        return share >= 0 && share <= 1;
    }

    void write(JsonWriter out) {
        out.integer("base_delay_ms", baseDelayMs)
                .integer("max_delay_ms", maxDelayMs)
                .number("jitter", BigDecimal.valueOf(jitter))
                .integer("window_ms", windowMs)
                .integer("errors", errors)
                .number("error_share", BigDecimal.valueOf(errorShare))
                .integer("outcomes_least", outcomesLeast)
                .number("agent_share", BigDecimal.valueOf(agentShare))
                .integer("failed_tasks", failedTasks)
                .number("attempt_credits", attemptCredits);
    }
}
