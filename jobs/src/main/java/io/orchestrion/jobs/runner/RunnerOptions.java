package io.orchestrion.jobs.runner;

import java.time.Duration;

/// How a runner works.
///
/// @param name under which it holds jobs and is shown
/// @param concurrency how many jobs it holds at a time
/// @param heartbeatEvery how often it renews the leases of what runs
/// @param checkEvery how often it looks whether what it holds is still its own, which is how a
///     cancellation on another node reaches it before the next heartbeat
/// @param pollEvery how often it looks for work when nothing woke it
/// @param timeScale what simulated durations are multiplied with; real handlers are not scaled
/// @param stopPatience how long work that was told to stop is waited for
public record RunnerOptions(
        String name,
        int concurrency,
        Duration heartbeatEvery,
        Duration checkEvery,
        Duration pollEvery,
        double timeScale,
        Duration stopPatience) {
    public static final int MOST_AT_A_TIME = 256;
    private static final int LONGEST_NAME = 200;

    public RunnerOptions {
        if (name.isBlank() || name.length() > LONGEST_NAME) {
            throw new IllegalArgumentException(
                    "the name of a runner has from 1 to " + LONGEST_NAME + " characters");
        }
        if (concurrency < 1 || concurrency > MOST_AT_A_TIME) {
            throw new IllegalArgumentException(
                    "concurrency " + concurrency + ": from 1 to " + MOST_AT_A_TIME);
        }
        if (!(timeScale > 0 && timeScale <= 1)) {
            throw new IllegalArgumentException(
                    "timeScale " + timeScale + ": more than 0, at most 1");
        }
    }

    /// As the contract demands: one job at a time, and heartbeats at most five seconds apart.
    public static RunnerOptions named(String name) {
        return new RunnerOptions(
                name,
                1,
                Duration.ofMillis(4_500),
                Duration.ofSeconds(1),
                Duration.ofSeconds(1),
                1.0,
                Duration.ofSeconds(5));
    }

    public RunnerOptions withConcurrency(int other) {
        return new RunnerOptions(
                name, other, heartbeatEvery, checkEvery, pollEvery, timeScale, stopPatience);
    }

    public RunnerOptions withTimeScale(double other) {
        return new RunnerOptions(
                name, concurrency, heartbeatEvery, checkEvery, pollEvery, other, stopPatience);
    }

    public RunnerOptions withPace(Duration heartbeat, Duration check, Duration poll) {
        return new RunnerOptions(
                name, concurrency, heartbeat, check, poll, timeScale, stopPatience);
    }

    public RunnerOptions withStopPatience(Duration other) {
        return new RunnerOptions(
                name, concurrency, heartbeatEvery, checkEvery, pollEvery, timeScale, other);
    }
}
