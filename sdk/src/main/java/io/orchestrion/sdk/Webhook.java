package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A registered webhook; from [Webhooks#get].
///
/// @param state such as `active` or `paused`
/// @param reason why it is paused, or null
public record Webhook(
        UUID id,
        String url,
        List<String> events,
        String state,
        @Nullable String reason,
        @Nullable String description,
        Instant createdAt) {
    public Webhook {
        events = List.copyOf(events);
    }
}
