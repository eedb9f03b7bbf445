package io.orchestrion.kernel.identity;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.UUID;

/// A worker token as its account may see it: everything but what opens the door.
///
/// @param repositories which a worker may take work of, whole names or `owner/*`, as they were
///     given; in this and the other two null is anything and an empty set nothing
/// @param active false from when it is deactivated until it is reactivated
/// @param lastUsedMs to within a minute or so; null for a token that was never used
/// @param lastUsedFrom the address of that use
/// @param secretMs when the secret that works now was made
/// @param formerEndsMs until when a secret that it replaced still works; null when none does
public record WorkerToken(
        UUID id,
        UUID account,
        String workerId,
        String description,
        @Nullable Set<String> repositories,
        @Nullable Set<String> kinds,
        @Nullable Set<String> capabilities,
        boolean active,
        @Nullable Long expiresMs,
        @Nullable Long lastUsedMs,
        @Nullable String lastUsedFrom,
        long createdMs,
        long secretMs,
        @Nullable Long formerEndsMs) {

    public enum Status {
        ACTIVE,
        INACTIVE,
        EXPIRED
    }

    /// Whether it opens the door at this time.
    public Status status(long nowMs) {
        if (!active) {
            return Status.INACTIVE;
        }
        return expiresMs == null || expiresMs > nowMs ? Status.ACTIVE : Status.EXPIRED;
    }
}
