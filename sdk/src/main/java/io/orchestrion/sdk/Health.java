package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The health of a server; from [OrchestrionClient#health].
///
/// @param status `ok`; `degraded` while the database is away or the disk nearly full, where a
///     restart would not help; `unhealthy` when a background duty does not run in time
/// @param version of the server
/// @param jobs the background duties
public record Health(String status, String version, List<Job> jobs) {
    public Health {
        jobs = List.copyOf(jobs);
    }

    /// Whether all background duties run in time.
    public boolean ok() {
        return !status.equals("unhealthy");
    }

    /// A background duty, such as taking back tasks whose lease has run out.
    ///
    /// @param ran whether it has run since the server started
    /// @param lastError the error of its last run, or null
    public record Job(
            String name,
            boolean healthy,
            boolean ran,
            long secondsSinceLastRun,
            @Nullable String lastError) {}
}
