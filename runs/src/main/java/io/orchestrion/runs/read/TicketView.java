package io.orchestrion.runs.read;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.UUID;

/// A ticket as people see it.
///
/// @param status one of [#STATUSES]
/// @param added how many further triggers came while it was open
/// @param holds whether the run waits for what is said
public record TicketView(
        UUID id,
        UUID run,
        String status,
        String severity,
        Why why,
        int added,
        boolean holds,
        long createdMs,
        @Nullable Resolved resolved) {
    public static final List<String> STATUSES = List.of("open", "resolved", "closed");

    /// @param last the newest trigger that was added
    public record Why(
            String trigger, @Nullable String last, @Nullable String errorCode, String error) {}

    /// @param how `resume` or `cancel`; `over` where the run ended by itself
    public record Resolved(
            @Nullable String by, @Nullable String how, @Nullable String note, long atMs) {}
}
