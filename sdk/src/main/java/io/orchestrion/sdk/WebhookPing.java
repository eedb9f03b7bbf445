package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// What a receiver answered to a test event.
///
/// @param delivered whether it answered 2xx
/// @param status what it answered; null if nothing
/// @param error why there was no answer, or null
/// @param durationMillis how long it took
public record WebhookPing(
        boolean delivered, @Nullable Integer status, @Nullable String error, long durationMillis) {}
