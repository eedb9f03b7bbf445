package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// How a server is.
///
/// @param status `ok`; `degraded` while its database is away or its disk nearly full, which another
///     start would not help; `unhealthy` when a duty is not done
public record Health(String status, String version, List<Job> jobs) {
    public Health {
        jobs = List.copyOf(jobs);
    }

    /// Whether all its duties are done in time.
    public boolean ok() {
        return !status.equals("unhealthy");
    }

    /// One duty, such as giving back tasks whose lease ran out.
    public record Job(
            String name,
            boolean healthy,
            boolean ran,
            long secondsSinceLastRun,
            @Nullable String lastError) {}
}
