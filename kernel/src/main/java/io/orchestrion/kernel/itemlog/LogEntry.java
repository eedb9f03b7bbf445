package io.orchestrion.kernel.itemlog;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One line of an item's log.
///
/// @param createdMs when it was written; no two of one item share a millisecond, and a line that is
///     committed later has a later time
/// @param payload the text of a JSON object
/// @param happened what happened to the item; null for a line of its holder
public record LogEntry(
        UUID id,
        UUID itemId,
        long createdMs,
        LogLevel level,
        String message,
        @Nullable String payload,
        @Nullable String holder,
        @Nullable Happened happened) {
    public static final int MESSAGE_CHARS_MAX = 4000;
    public static final int PAYLOAD_BYTES_MAX = 64 * 1024;

    /// A change of the item, in the kernel's words.
    ///
    /// @param event of the lifecycle, or `heartbeat`
    /// @param state that it led to
    public record Happened(String event, String state, int attempt) {}
}
