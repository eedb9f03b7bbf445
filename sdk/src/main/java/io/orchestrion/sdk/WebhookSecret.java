package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// The answer to what makes a secret.
///
/// @param secret shown once; null where the server keeps to itself what the caller chose
public record WebhookSecret(UUID webhookId, @Nullable Instant createdAt, @Nullable String secret) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "WebhookSecret[" + webhookId + "]";
    }
}
