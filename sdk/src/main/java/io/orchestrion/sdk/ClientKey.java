package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// A key made through `/v1/clients`.
///
/// @param apiKey shown once; null where the key was there before
/// @param expiresAt null for a key without an end
public record ClientKey(
        @Nullable String apiKey, UUID keyId, Instant createdAt, @Nullable Instant expiresAt) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "ClientKey[" + keyId + ", expires " + expiresAt + "]";
    }
}
