package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// A page of the log of events, oldest first.
///
/// @param events the events of tasks
/// @param subjects the events of engines' subjects, if the query included them
/// @param lines all events in their one order, as the server sent them
/// @param nextCursor where to continue; also there when the page is empty
/// @param hasMore whether the log has more events after this page
public record TaskEventPage(
        List<TaskEvent> events,
        List<SubjectEvent> subjects,
        List<JsonNode> lines,
        String nextCursor,
        boolean hasMore) {
    public TaskEventPage {
        events = List.copyOf(events);
        subjects = List.copyOf(subjects);
        lines = List.copyOf(lines);
    }
}
