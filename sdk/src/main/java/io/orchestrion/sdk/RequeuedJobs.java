package io.orchestrion.sdk;

import java.util.List;
import java.util.UUID;

/// Dead letters that are back in line.
///
/// @param more whether there may be others that fit
public record RequeuedJobs(List<UUID> ids, boolean more) {
    public RequeuedJobs {
        ids = List.copyOf(ids);
    }
}
