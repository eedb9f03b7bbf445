package io.orchestrion.kernel.signals;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// An attempt to deliver an event to a webhook has ended. Has no address and no secret: it is
/// logged.
///
/// @param workId the item whose event it is
/// @param event its public name
/// @param outcome delivered, failed (will be tried again), exhausted or skipped
/// @param status of the receiver's answer, null where there was none
/// @param reason why it failed
/// @param trace the traceparent of the item that caused it
public record DeliverySeen(
        UUID accountId,
        UUID webhookId,
        UUID deliveryId,
        @Nullable UUID workId,
        String event,
        int attempt,
        String outcome,
        @Nullable Integer status,
        long startedMs,
        long millis,
        @Nullable String reason,
        @Nullable String trace) {}
