package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// Which events of the account's log to read. Each method returns a changed copy.
///
/// ```java
/// EventQuery completed = EventQuery.ALL.after("now").withType("hello").withEvent("completed");
/// client.events().follow(completed, event -> System.out.println(event.taskId()));
/// ```
///
/// @param after the id of an event, or an earlier [TaskEventPage#nextCursor]; `now` for only future
///     events; null for the oldest event that is kept
/// @param limit 1 to 1000; null for the server's default of 100; a stream has none
/// @param type only events of tasks of this type
/// @param taskId only events of this task
/// @param event only this event, such as `completed`
/// @param longPoll how long the server may wait for an event when there is none, at most 30 whole
///     seconds; a stream always waits
/// @param include `owned` for events of steps that engines made, `subjects` for events of the
///     engines' own executions and runs; neither by default
public record EventQuery(
        @Nullable String after,
        @Nullable Integer limit,
        @Nullable String type,
        @Nullable UUID taskId,
        @Nullable String event,
        Duration longPoll,
        Set<String> include) {
    /// All events of tasks, from the beginning of the log.
    public static final EventQuery ALL =
            new EventQuery(null, null, null, null, null, Duration.ZERO);

    public EventQuery {
        include = Set.copyOf(include);
    }

    /// A query of events of tasks only.
    public EventQuery(
            @Nullable String after,
            @Nullable Integer limit,
            @Nullable String type,
            @Nullable UUID taskId,
            @Nullable String event,
            Duration longPoll) {
        this(after, limit, type, taskId, event, longPoll, Set.of());
    }

    public EventQuery after(@Nullable String cursor) {
        return new EventQuery(cursor, limit, type, taskId, event, longPoll, include);
    }

    public EventQuery withLimit(int limit) {
        return new EventQuery(after, limit, type, taskId, event, longPoll, include);
    }

    public EventQuery withType(String type) {
        return new EventQuery(after, limit, type, taskId, event, longPoll, include);
    }

    public EventQuery withTask(UUID taskId) {
        return new EventQuery(after, limit, type, taskId, event, longPoll, include);
    }

    public EventQuery withEvent(String event) {
        return new EventQuery(after, limit, type, taskId, event, longPoll, include);
    }

    public EventQuery waiting(Duration longPoll) {
        return new EventQuery(after, limit, type, taskId, event, longPoll, include);
    }

    public EventQuery including(String... what) {
        return new EventQuery(after, limit, type, taskId, event, longPoll, Set.of(what));
    }

    /// The parameters that a page and a stream share, without `after`.
    Parameters filters() {
        return new Parameters()
                .with(
                        "include",
                        include.isEmpty() ? null : String.join(",", new TreeSet<>(include)))
                .with("type", type)
                .with("taskId", taskId)
                .with("event", event);
    }
}
