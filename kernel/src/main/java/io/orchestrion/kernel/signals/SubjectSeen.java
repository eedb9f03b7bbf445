package io.orchestrion.kernel.signals;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// An engine told of one of its subjects, and that is committed. The words are the engine's.
///
/// @param log that the event is in
/// @param kind of the subject
/// @param from null where no state ended
/// @param to null where no state began
/// @param lastedMs how long the state that ended had lasted; null where nobody measured
/// @param data a JSON object, which has no secrets; null where there is nothing to tell
/// @param correlationId what belongs together, in the caller's words
/// @param trace the W3C traceparent that the engine wants it to be shown under; null for no span
public record SubjectSeen(
        String log,
        UUID accountId,
        String kind,
        UUID subjectId,
        String event,
        @Nullable String from,
        @Nullable String to,
        long atMs,
        @Nullable Long lastedMs,
        @Nullable String data,
        @Nullable String correlationId,
        @Nullable String trace) {}
