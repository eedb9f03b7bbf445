package io.orchestrion.sdk.definition;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;

/// How often and how soon a step is tried again.
///
/// ```java
/// StepRetry policy = StepRetry.exponential(5, Duration.ofSeconds(1), Duration.ofMinutes(2))
///         .attemptTimeout(Duration.ofSeconds(30))
///         .on(ErrorClass.TRANSIENT, ErrorClass.RATE_LIMITED);
/// ```
///
/// Without [#on], every class is retried that may be.
///
/// @param maxAttempts how many attempts there are at most, 1 to 100
/// @param strategy `FIXED`, `EXPONENTIAL` or `JITTERED`
/// @param attemptTimeout how long one attempt may run; the step's own timeout is for all of them
/// @param classes the classes after which there is another attempt; `NON_RETRYABLE` and
///     `COMPENSATION_REQUIRED` are refused when the definition is published
public record StepRetry(
        int maxAttempts,
        Backoff strategy,
        Duration initialDelay,
        Duration maxDelay,
        Duration attemptTimeout,
        Set<ErrorClass> classes) {
    private static final Duration ATTEMPT = Duration.ofMinutes(5);

    /// How the wait grows from attempt to attempt.
    public enum Backoff {
        /// Always the initial delay.
        FIXED,
        /// Doubled with each attempt, up to the longest delay.
        EXPONENTIAL,
        /// A random part of the exponential delay, at least half of it.
        JITTERED
    }

    public StepRetry {
        classes = Set.copyOf(classes);
    }

    private static StepRetry of(int attempts, Backoff strategy, Duration first, Duration longest) {
        return new StepRetry(attempts, strategy, first, longest, ATTEMPT, retried());
    }

    private static Set<ErrorClass> retried() {
        return EnumSet.complementOf(
                EnumSet.of(ErrorClass.NON_RETRYABLE, ErrorClass.COMPENSATION_REQUIRED));
    }

    /// One attempt and no other.
    public static StepRetry never() {
        return new StepRetry(1, Backoff.FIXED, Duration.ZERO, Duration.ZERO, ATTEMPT, Set.of());
    }

    /// The same wait before each further attempt.
    public static StepRetry fixed(int maxAttempts, Duration delay) {
        return of(maxAttempts, Backoff.FIXED, delay, delay);
    }

    /// A wait that doubles with each attempt.
    public static StepRetry exponential(int maxAttempts, Duration first, Duration longest) {
        return of(maxAttempts, Backoff.EXPONENTIAL, first, longest);
    }

    /// A wait that doubles with each attempt and is shortened at random, so that executions that
    /// failed together do not come back together.
    public static StepRetry jittered(int maxAttempts, Duration first, Duration longest) {
        return of(maxAttempts, Backoff.JITTERED, first, longest);
    }

    /// The same with a time for one attempt; five minutes unless set.
    public StepRetry attemptTimeout(Duration timeout) {
        return new StepRetry(maxAttempts, strategy, initialDelay, maxDelay, timeout, classes);
    }

    /// The same after failures of these classes only.
    public StepRetry on(ErrorClass... only) {
        return new StepRetry(
                maxAttempts, strategy, initialDelay, maxDelay, attemptTimeout, Set.of(only));
    }

    void writeTo(ObjectNode into) {
        into.put("max_attempts", maxAttempts);
        into.put("backoff_strategy", strategy.name().toLowerCase(Locale.ROOT));
        into.put("initial_delay_ms", initialDelay.toMillis());
        into.put("max_delay_ms", maxDelay.toMillis());
        into.put("timeout_ms", attemptTimeout.toMillis());
        var on = into.putArray("retry_on_classes");
        classes.stream().sorted().forEach(each -> on.add(each.name()));
    }
}
