package io.orchestrion.kernel.signals;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A committed state change. States and events are the kernel's words.
///
/// @param kind what is to be done: the door's type
/// @param from null for what was just handed in
/// @param sinceMs when it entered the state it leaves, as far as its row still tells; equal to
///     `atMs` for what was just handed in
/// @param detail the reason, where there is one
/// @param trace the W3C traceparent it was handed in with
/// @param errorCode of an attempt that its holder reported as failed, where it gave one
/// @param correlationId what its producer calls the whole that it is a part of
/// @param owner the row of an engine that it belongs to; null where there is none, or where the
///     change was made without reading it
public record TransitionSeen(
        String queue,
        UUID accountId,
        UUID workId,
        String kind,
        String event,
        @Nullable String from,
        String to,
        int attempt,
        long atMs,
        long sinceMs,
        @Nullable String holder,
        @Nullable String detail,
        @Nullable String errorCode,
        @Nullable String trace,
        @Nullable String correlationId,
        @Nullable Owner owner) {

    /// @param kind the engine's word for it
    public record Owner(String kind, UUID id) {}
}
