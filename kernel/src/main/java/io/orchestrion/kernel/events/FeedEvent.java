package io.orchestrion.kernel.events;

import io.orchestrion.kernel.history.HistoryEntry;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One event of an item in the log of an account.
///
/// @param correlationId the id of the larger whole that its item belongs to
public record FeedEvent(
        long position, UUID workId, String kind, @Nullable String correlationId, HistoryEntry entry)
        implements LogEvent {
    @Override
    public UUID subjectId() {
        return workId;
    }

    @Override
    public int seq() {
        return entry.seq();
    }

    @Override
    public long atMs() {
        return entry.atMs();
    }
}
