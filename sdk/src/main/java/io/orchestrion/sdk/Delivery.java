package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// The delivery of one event to one receiver.
///
/// @param webhookId null for the callback of a single job
/// @param state `pending`, `delivered` or `failed`
/// @param nextAttemptAt when the server tries again, or null
/// @param attempts the tries so far
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

    /// One try to deliver.
    ///
    /// @param status the HTTP status of the receiver's answer, or null
    /// @param error why there was no answer, or null
    public record Attempt(
            Instant at,
            @Nullable Integer status,
            @Nullable String error,
            @Nullable Long durationMillis) {}
}
