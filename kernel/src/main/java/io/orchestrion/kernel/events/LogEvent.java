package io.orchestrion.kernel.events;

import java.util.List;
import java.util.UUID;

/// One line of an account's log: something that happened to an item, or to a subject of an engine.
public sealed interface LogEvent permits FeedEvent, SubjectLine {
    long position();

    /// The id of the item or subject that it happened to.
    UUID subjectId();

    /// Its number among the events of that item or subject, from 1 on.
    int seq();

    long atMs();

    /// The place after it.
    default EventCursor cursor() {
        return new EventCursor(position(), subjectId(), seq());
    }

    /// The events of a log that has only events of items.
    static List<FeedEvent> items(List<? extends LogEvent> events) {
        return events.stream().map(FeedEvent.class::cast).toList();
    }

    /// The events of a log that has only events of subjects.
    static List<SubjectLine> subjects(List<? extends LogEvent> events) {
        return events.stream().map(SubjectLine.class::cast).toList();
    }
}
