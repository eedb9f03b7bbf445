package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// The answer to what makes a secret.
///
/// @param secret shown once; null when this is the answer to a repeated request, whose first answer
///     had it and got lost: make another with [Webhooks#rotateSecret]
public record WebhookSecret(UUID webhookId, @Nullable Instant createdAt, @Nullable String secret) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "WebhookSecret[" + webhookId + "]";
    }
}
