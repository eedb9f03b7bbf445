package io.orchestrion.sdk;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;

/// How often, and after which waits, the client repeats a request that is safe to repeat.
///
/// ```java
/// var patient = OrchestrionClient.builder(URI.create("http://127.0.0.1:8080"))
///         .retries(RetryPolicy.standard().withTries(10))
///         .build();
/// ```
///
/// The wait doubles from `firstWait` to `longestWait`. The client waits a random part of it,
/// between a half and the whole, so that clients which failed together do not return together. If
/// the server asks for a longer wait, the client waits that long, up to `longestWait`. If the
/// server asks for more than that, the client throws.
///
/// @param tries how many tries at most, with the first one
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

    /// Five tries within about four seconds, which is enough for a restart of the server.
    public static RetryPolicy standard() {
        return new RetryPolicy(
                5,
                Duration.ofMillis(300),
                Duration.ofSeconds(10),
                MonotonicClock.SYSTEM,
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /// One try.
    public static RetryPolicy none() {
        return standard().withTries(1);
    }

    public RetryPolicy withTries(int tries) {
        return new RetryPolicy(tries, firstWait, longestWait, clock, random);
    }

    public RetryPolicy withClock(MonotonicClock clock) {
        return new RetryPolicy(tries, firstWait, longestWait, clock, random);
    }

    /// Whether to repeat a request that has failed for the `tried`-th time.
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
