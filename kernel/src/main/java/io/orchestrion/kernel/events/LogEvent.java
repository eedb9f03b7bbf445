package io.orchestrion.kernel.events;

import java.util.List;
import java.util.UUID;

/// One line of an account's log: something that happened to an item, or to a subject of an engine.
public sealed interface LogEvent permits FeedEvent, SubjectLine {
    long position();

    /// What it happened to.
    UUID subjectId();

    /// From 1 on within what it happened to.
    int seq();

    long atMs();

    /// The place after it.
    default EventCursor cursor() {
        return new EventCursor(position(), subjectId(), seq());
    }

    /// Those of a log that has events of items alone.
    static List<FeedEvent> items(List<? extends LogEvent> events) {
        return events.stream().map(FeedEvent.class::cast).toList();
    }

    /// Those of a log that has events of subjects alone.
    static List<SubjectLine> subjects(List<? extends LogEvent> events) {
        return events.stream().map(SubjectLine.class::cast).toList();
    }
}
