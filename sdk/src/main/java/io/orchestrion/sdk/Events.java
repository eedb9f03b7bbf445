package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;
import java.util.function.Consumer;

/// What happens to the account's tasks, as one log. From [OrchestrionClient#events].
///
/// Asking again with the id of the last event, or with a page's cursor, loses and repeats nothing,
/// whichever server answers.
public final class Events {
    private static final String EVENTS = "/v1/events";

    private final Transport transport;

    Events(Transport transport) {
        this.transport = transport;
    }

    /// A page of the log.
    public TaskEventPage list(EventQuery query) {
        long wait = query.longPoll().toSeconds();
        Parameters asked =
                query.filters()
                        .with("after", query.after())
                        .with("limit", query.limit())
                        .with("waitSeconds", wait == 0 ? null : wait);
        return transport.send(
                Call.get(EVENTS + asked).waiting(query.longPoll()), ResourceWire::eventPage);
    }

    /// A page of what happened to one task.
    ///
    /// @param after an event's id or an earlier cursor of this list; null for the beginning
    /// @param limit 1 to 1000; null for the server's default
    public TaskEventPage ofTask(UUID task, @Nullable String after, @Nullable Integer limit) {
        var asked = new Parameters().with("after", after).with("limit", limit);
        return transport.send(
                Call.get("/v1/tasks/" + task + "/events" + asked), ResourceWire::eventPage);
    }

    /// Hands on each event as it happens, over one request that stays open, until the calling
    /// thread is interrupted or the server refuses. A connection that is lost is made anew and goes
    /// on where it was. The consumer runs on the calling thread; what it throws ends the following.
    ///
    /// @throws OrchestrionException with [OrchestrionException#INTERRUPTED] when interrupted, and
    ///     for a server that refuses or cannot be reached within the client's [RetryPolicy]
    public void follow(EventQuery query, Consumer<TaskEvent> each) {
        follow(query, each, _ -> {});
    }

    /// The same with what engines tell of their subjects, for a query that includes them: all in
    /// one order.
    public void follow(
            EventQuery query, Consumer<TaskEvent> ofTasks, Consumer<SubjectEvent> ofSubjects) {
        Consumer<JsonNode> each =
                line -> {
                    if (ResourceWire.ofSubject(line)) {
                        ofSubjects.accept(ResourceWire.subjectEvent(line));
                    } else {
                        ofTasks.accept(ResourceWire.event(line));
                    }
                };
        new EventStream(transport, EVENTS + "/stream", query, each).follow();
    }
}
