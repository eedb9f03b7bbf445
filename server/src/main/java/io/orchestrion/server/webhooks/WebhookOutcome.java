package io.orchestrion.server.webhooks;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// The outcome of a request about a webhook.
public sealed interface WebhookOutcome {
    /// @param formerEndsMs until when the secrets before this one sign, too; null for not at all
    record Done(Receiver webhook, @Nullable Long formerEndsMs, long nowMs)
            implements WebhookOutcome {}

    /// @param secret shown now and never again
    record Made(
            Receiver webhook,
            UUID secretId,
            SigningSecret secret,
            @Nullable Long formerEndsMs,
            long nowMs)
            implements WebhookOutcome {}

    /// The same request again, which had made this one. Its secret was shown then.
    record Replayed(Receiver webhook, long nowMs) implements WebhookOutcome {}

    record Deleted() implements WebhookOutcome {}

    record NotFound() implements WebhookOutcome {}

    /// It is another account's.
    record Foreign() implements WebhookOutcome {}

    /// The account has one with this address and these events.
    record Exists() implements WebhookOutcome {}

    record TooMany(int most) implements WebhookOutcome {}

    record TooManySecrets(int most) implements WebhookOutcome {}

    record KeyConflict() implements WebhookOutcome {}

    record KeyInFlight() implements WebhookOutcome {}
}
