package io.orchestrion.server.jobs;

import io.orchestrion.server.limits.RateLimit;

import java.time.Duration;
import java.util.List;

/// The rate limits of this door's endpoints.
public final class JobsLimits {
    private JobsLimits() {}

    /// Of each client a minute.
    public static final String JOBS = "jobs";

    /// Of each client a day.
    public static final String QUOTA = "jobs-quota";

    /// Making clients and their first keys, for which no key is needed.
    public static final String CLIENTS = "jobs-clients";

    private static final RateLimit DAY =
            RateLimit.byClient(QUOTA, "Jobs endpoints, a day", 500_000, Duration.ofDays(1));

    public static final List<RateLimit> ALL =
            List.of(
                    RateLimit.byAddress(
                            CLIENTS, "POST /v1/clients and first keys", 200, Duration.ofHours(1)),
                    RateLimit.byClient(JOBS, "Jobs endpoints", 1_200, Duration.ofMinutes(1))
                            .along(DAY),
                    DAY);
}
