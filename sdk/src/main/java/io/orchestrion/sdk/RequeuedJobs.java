package io.orchestrion.sdk;

import java.util.List;
import java.util.UUID;

/// The dead letters that were put back into the queue.
///
/// @param ids the jobs
/// @param more whether there may be more matching dead letters
public record RequeuedJobs(List<UUID> ids, boolean more) {
    public RequeuedJobs {
        ids = List.copyOf(ids);
    }
}
