package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// The secret of a webhook; from [Webhooks#create] and [Webhooks#rotateSecret].
///
/// @param secret shown once; null in the answer to a repeated request. If the first answer was
///     lost, make another secret with [Webhooks#rotateSecret]
public record WebhookSecret(UUID webhookId, @Nullable Instant createdAt, @Nullable String secret) {
    /// Without the secret, which must not end up in a log.
    @Override
    public String toString() {
        return "WebhookSecret[" + webhookId + "]";
    }
}
