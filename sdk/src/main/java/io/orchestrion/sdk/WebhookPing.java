package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

/// The answer of a webhook to a test event; from [Webhooks#ping].
///
/// @param delivered whether the receiver answered 2xx
/// @param status the HTTP status of the answer; null without an answer
/// @param error why there was no answer, or null
/// @param durationMillis how long it took
public record WebhookPing(
        boolean delivered, @Nullable Integer status, @Nullable String error, long durationMillis) {}
