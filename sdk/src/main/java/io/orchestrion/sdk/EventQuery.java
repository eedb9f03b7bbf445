package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// Which events of the account's tasks; each method returns a changed copy.
///
/// @param after an event's id or an earlier [TaskEventPage#nextCursor]; `now` for only what comes;
///     null for the oldest that is kept
/// @param limit 1 to 1000; null for the server's default of 100; a stream has none
/// @param type only of tasks of this type
/// @param taskId only of this task
/// @param event only this event, such as `completed`
/// @param longPoll how long the server may wait for an event when there is none, at most 30
///     whole seconds; a stream always waits
/// @param include `owned` for the steps that engines made, `subjects` for what engines tell of
///     their executions, runs and the like; none by default
public record EventQuery(
        @Nullable String after,
        @Nullable Integer limit,
        @Nullable String type,
        @Nullable UUID taskId,
        @Nullable String event,
        Duration longPoll,
        Set<String> include) {
    /// The whole log of tasks, from its beginning.
    public static final EventQuery ALL =
            new EventQuery(null, null, null, null, null, Duration.ZERO);

    public EventQuery {
        include = Set.copyOf(include);
    }

    /// Of tasks alone.
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

    /// What a page and a stream both take, but for the place to begin.
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
