package io.orchestrion.kernel.events;

import java.util.List;

/// A part of the log, oldest first.
///
/// @param next where to go on: after the last of these, or later where the query does not want the
///     events after it
/// @param more whether the end of the log was not reached
public record EventPage(List<LogEvent> events, EventCursor next, boolean more) {
    /// The same where only logs of items were asked for.
    public List<FeedEvent> items() {
        return LogEvent.items(events);
    }
}
