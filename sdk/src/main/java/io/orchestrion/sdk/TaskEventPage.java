package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// A page of the log of events, oldest first.
///
/// @param events of tasks
/// @param subjects what engines tell, where it was asked for
/// @param lines all of them in their one order, as the server sent them
/// @param nextCursor where to go on from, also when there was nothing
/// @param hasMore whether the end of the log was not reached
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
