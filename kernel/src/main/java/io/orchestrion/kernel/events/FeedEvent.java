package io.orchestrion.kernel.events;

import io.orchestrion.kernel.work.HistoryEntry;

import java.util.UUID;

/// One event in the log of an account.
public record FeedEvent(long position, UUID workId, String kind, HistoryEntry entry) {
    /// The place after it.
    public EventCursor cursor() {
        return new EventCursor(position, workId, entry.seq());
    }
}
