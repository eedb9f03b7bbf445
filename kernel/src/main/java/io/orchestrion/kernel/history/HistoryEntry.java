package io.orchestrion.kernel.history;

import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

/// One row of an item's history.
///
/// @param from null where the item began
/// @param error JSON text of the `WorkError` that an attempt failed with, where its holder gave one
public record HistoryEntry(
        int seq,
        long atMs,
        WorkEvent event,
        @Nullable WorkState from,
        WorkState to,
        int attempt,
        long leaseNumber,
        @Nullable String holder,
        @Nullable String detail,
        @Nullable String error) {
    /// Whether its detail is what somebody reported after the end, as JSON text.
    public boolean late() {
        return event == WorkEvent.LATE_REPORT;
    }
}
