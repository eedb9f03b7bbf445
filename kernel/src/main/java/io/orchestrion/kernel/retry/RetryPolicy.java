package io.orchestrion.kernel.retry;

import java.util.Set;

/// How often and how soon a step is tried again.
///
/// @param timeoutMs how long one attempt may run
/// @param retryOn the classes after which there is another attempt
public record RetryPolicy(
        int maxAttempts,
        BackoffStrategy strategy,
        long initialDelayMs,
        long maxDelayMs,
        long timeoutMs,
        Set<ErrorClass> retryOn) {
    /// How many times as long as usual a failed dependency is left alone, unless somebody sets
    /// another factor.
    public static final int DEPENDENCY_FACTOR = 4;

    /// The least part of an exponential delay that is left by jitter.
    public static final double JITTER_LEAST = 0.5;

    private static final int DOUBLINGS_MAX = 40;

    public RetryPolicy {
        retryOn = Set.copyOf(retryOn);
        if (maxAttempts < 1 || initialDelayMs < 0 || maxDelayMs < initialDelayMs || timeoutMs < 1) {
            throw new IllegalArgumentException("not a retry policy");
        }
        if (!retryOn.stream().allMatch(ErrorClass::isRetried)) {
            throw new IllegalArgumentException("a class that is never retried");
        }
    }

    /// @param failed how many attempts have failed so far, at least 1
    /// @param dependencyFactor how many times as long as usual a failed dependency is left alone
    /// @param draw from 0 to less than 1, drawn at random: which of the possible delays it is
    public long delayMs(int failed, ErrorClass errorClass, int dependencyFactor, double draw) {
        int doublings = Math.clamp(failed - 1L, 0, DOUBLINGS_MAX);
        long exponential =
                (long) Math.min((double) maxDelayMs, initialDelayMs * Math.pow(2, doublings));
        long delay =
                switch (strategy) {
                    case FIXED -> initialDelayMs;
                    case EXPONENTIAL -> exponential;
                    case JITTERED ->
                            Math.round(exponential * (JITTER_LEAST + (1 - JITTER_LEAST) * draw));
                };
        return delay * errorClass.delayFactor(dependencyFactor);
    }
}
