package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A key of the account, without its secret.
///
/// @param status `live`, `expired` or `revoked`
/// @param current whether it is the key that made this request
/// @param lastUsedAt accurate to about a minute; null if never used
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

    /// Whether the key works now.
    public boolean live() {
        return status.equals("live");
    }
}
