package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// A key that was made through [Clients].
///
/// @param apiKey the secret, shown once; null if the key existed before
/// @param expiresAt null if the key does not expire
public record ClientKey(
        @Nullable String apiKey, UUID keyId, Instant createdAt, @Nullable Instant expiresAt) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "ClientKey[" + keyId + ", expires " + expiresAt + "]";
    }
}
