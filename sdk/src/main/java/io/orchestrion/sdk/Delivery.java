package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// One event on its way to one receiver.
///
/// @param webhookId null for a job's own callback
/// @param state such as `pending`, `delivered` or `failed`
/// @param nextAttemptAt when it is tried again, or null
public record Delivery(
        UUID id,
        @Nullable UUID webhookId,
        @Nullable UUID jobId,
        UUID eventId,
        String eventName,
        @Nullable String url,
        String state,
        @Nullable Instant createdAt,
        @Nullable Instant nextAttemptAt,
        int attemptCount,
        List<Attempt> attempts) {
    public Delivery {
        attempts = List.copyOf(attempts);
    }

    /// One try.
    ///
    /// @param status what the receiver answered, or null
    /// @param error why there was no answer, or null
    public record Attempt(
            Instant at,
            @Nullable Integer status,
            @Nullable String error,
            @Nullable Long durationMillis) {}
}
