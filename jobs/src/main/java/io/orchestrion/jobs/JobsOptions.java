package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.work.Backoff;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/// What an operator sets for jobs.
///
/// @param types what clients may ask for
/// @param maxRetries how often a failed job may be tried again
/// @param backoff how long a retry waits
/// @param maxRuntime how long one attempt may run
/// @param maxActive how many may be assigned or running at a time, over all accounts and nodes
/// @param maxWaiting how many may be created or queued at a time, over all accounts and nodes
/// @param maxPayloadBytes how large a client's payload may be
/// @param fairShare how many one account may have active while others wait; 0 is strictly first in,
///     first out
/// @param rejectWithoutRunners whether a submit is refused while no runner is there
/// @param failureProbability of randomly chosen work
/// @param timeScale what simulated work's durations are multiplied with
public record JobsOptions(
        Set<JobType> types,
        int maxRetries,
        Backoff backoff,
        Duration maxRuntime,
        int maxActive,
        int maxWaiting,
        int maxPayloadBytes,
        int fairShare,
        boolean rejectWithoutRunners,
        double failureProbability,
        double timeScale) {

    public static final JobsOptions DEFAULT =
            new JobsOptions(
                    EnumSet.allOf(JobType.class),
                    3,
                    new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(1), 0.2),
                    Duration.ofSeconds(120),
                    1_000,
                    100_000,
                    256 * 1024,
                    0,
                    false,
                    0.2,
                    1.0);

    public static final int MOST_RETRIES = 100;

    public JobsOptions {
        types = Set.copyOf(types);
        check(maxRetries >= 0 && maxRetries <= MOST_RETRIES, "max retries from 0 to 100");
        check(backoff.delays(), "the backoff of retries is longer than nothing");
        check(maxRuntime.isPositive(), "the longest run is longer than nothing");
        check(maxActive >= 1, "at least one job may be active");
        check(maxWaiting >= 1, "at least one job may wait");
        check(maxPayloadBytes >= 2, "a payload is at least {}");
        check(fairShare >= 0, "a share is 0 or more");
        check(failureProbability >= 0 && failureProbability <= 1, "a probability is from 0 to 1");
        check(timeScale > 0, "time goes on");
    }

    private static void check(boolean holds, String rule) {
        if (!holds) {
            throw new IllegalArgumentException(rule);
        }
    }
}
