package io.orchestrion.sdk;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/// How often and after what waits a request that is safe to repeat is repeated.
///
/// The wait doubles from `firstWait` to `longestWait`; of each, a random part between a half and
/// the whole is waited, so that clients that failed together do not come back together. A server
/// that asks for more is given more, up to `longestWait`; beyond that the caller decides.
///
/// @param tries at most, the first one included
/// @param random numbers from 0 to below 1
public record RetryPolicy(
        int tries,
        Duration firstWait,
        Duration longestWait,
        MonotonicClock clock,
        DoubleSupplier random) {
    public RetryPolicy {
        if (tries < 1) {
            throw new IllegalArgumentException("tries must be at least 1");
        }
    }

    /// Five tries within about four seconds: a restart of a server fits in.
    public static RetryPolicy standard() {
        return new RetryPolicy(
                5,
                Duration.ofMillis(300),
                Duration.ofSeconds(10),
                MonotonicClock.SYSTEM,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    public static RetryPolicy none() {
        return standard().withTries(1);
    }

    public RetryPolicy withTries(int tries) {
        return new RetryPolicy(tries, firstWait, longestWait, clock, random);
    }

    public RetryPolicy withClock(MonotonicClock clock) {
        return new RetryPolicy(tries, firstWait, longestWait, clock, random);
    }

    /// Whether to send again what has failed for the `tried`-th time.
    boolean allows(int tried, OrchestrionException failure) {
        return tried < tries
                && failure.passing()
                && failure.retryAfterSeconds().orElse(0) <= longestWait.toSeconds();
    }

    Duration waitAfter(int tried, OrchestrionException failure) {
        Duration doubled = firstWait.multipliedBy(1L << Math.min(tried - 1, 20));
        Duration whole = doubled.compareTo(longestWait) < 0 ? doubled : longestWait;
        double part = 0.5 + random.getAsDouble() / 2;
        Duration own = Duration.ofNanos((long) (whole.toNanos() * part));
        Duration asked = Duration.ofSeconds(failure.retryAfterSeconds().orElse(0));
        return own.compareTo(asked) < 0 ? asked : own;
    }
}
