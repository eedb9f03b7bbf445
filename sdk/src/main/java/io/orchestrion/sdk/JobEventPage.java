package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// A page of a job's log, oldest first.
///
/// @param nextCursor the place after the last line; null if the server names none
public record JobEventPage(List<JobEvent> events, @Nullable String nextCursor) {
    public JobEventPage {
        events = List.copyOf(events);
    }

    /// Where the next page begins. Only for a page that has events.
    public String place() {
        return nextCursor == null ? events.getLast().createdAt().toString() : nextCursor;
    }
}
