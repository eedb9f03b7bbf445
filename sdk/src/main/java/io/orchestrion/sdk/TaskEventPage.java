package io.orchestrion.sdk;

import java.util.List;

/// A page of the log of events, oldest first.
///
/// @param nextCursor where to go on from, also when there was nothing
/// @param hasMore whether the end of the log was not reached
public record TaskEventPage(List<TaskEvent> events, String nextCursor, boolean hasMore) {
    public TaskEventPage {
        events = List.copyOf(events);
    }
}
