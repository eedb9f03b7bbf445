package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

/// One row of an item's history.
///
/// @param from null where the item began
public record HistoryEntry(
        int seq,
        long atMs,
        WorkEvent event,
        @Nullable WorkState from,
        WorkState to,
        int attempt,
        long leaseNumber,
        @Nullable String holder,
        @Nullable String detail) {}
