package io.orchestrion.kernel.identity;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.UUID;

/// A key as its account may see it: everything but what opens the door.
///
/// @param lastUsedMs to within a minute or so; null for a key that was never used
/// @param status at the time of the look
public record KeyView(
        UUID keyId,
        String name,
        Set<Scope> scopes,
        long createdMs,
        @Nullable Long expiresMs,
        @Nullable Long revokedMs,
        @Nullable Long lastUsedMs,
        Status status) {

    public enum Status {
        LIVE,
        EXPIRED,
        REVOKED
    }
}
