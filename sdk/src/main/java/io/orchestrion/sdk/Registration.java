package io.orchestrion.sdk;

import java.time.Instant;
import java.util.UUID;

/// A new account and its first key; from [OrchestrionClient#register].
///
/// @param apiKey the secret, shown this once; the server keeps only its hash
public record Registration(
        String apiKey, UUID accountId, UUID keyId, String plan, Instant createdAt) {
    /// Without the key, which must not end up in a log.
    @Override
    public String toString() {
        return "Registration[account=" + accountId + ", key=" + keyId + "]";
    }
}
