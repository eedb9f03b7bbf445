package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A key of the account, without what opens it.
///
/// @param status `live`, `expired` or `revoked`
/// @param current whether it is the key that asks
/// @param lastUsedAt to within about a minute; null if never
public record Key(
        UUID id,
        String name,
        List<Scope> scopes,
        String status,
        boolean current,
        Instant createdAt,
        @Nullable Instant expiresAt,
        @Nullable Instant revokedAt,
        @Nullable Instant lastUsedAt) {
    public Key {
        scopes = List.copyOf(scopes);
    }

    public boolean live() {
        return status.equals("live");
    }
}
