package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.UUID;
import java.util.function.Consumer;

/// The log of what happens to the account's tasks. From [OrchestrionClient#events].
///
/// ```java
/// TaskEventPage page = client.events().list(EventQuery.ALL.waiting(Duration.ofSeconds(30)));
/// page.events().forEach(event -> System.out.println(event.event() + " " + event.taskId()));
/// TaskEventPage next = client.events().list(EventQuery.ALL.after(page.nextCursor()));
/// ```
///
/// A request with the id of the last event, or with a page's cursor, continues without losing or
/// repeating an event, whichever node answers.
public final class Events {
    private static final String EVENTS = "/v1/events";

    private final Transport transport;

    Events(Transport transport) {
        this.transport = transport;
    }

    /// Reads a page of the log.
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

    /// Reads a page of the events of one task.
    ///
    /// @param after the id of an event or an earlier cursor of this list; null for the beginning
    /// @param limit 1 to 1000; null for the server's default
    public TaskEventPage ofTask(UUID task, @Nullable String after, @Nullable Integer limit) {
        var asked = new Parameters().with("after", after).with("limit", limit);
        return transport.send(
                Call.get("/v1/tasks/" + task + "/events" + asked), ResourceWire::eventPage);
    }

    /// Passes each event to the consumer as it happens, over one request that stays open. It ends
    /// when the calling thread is interrupted, the consumer throws, or the server refuses. If the
    /// connection is lost, the client opens another one and continues at the same place. The
    /// consumer runs on the calling thread.
    ///
    /// @throws OrchestrionException with [OrchestrionException#INTERRUPTED] when interrupted, and
    ///     when the server refuses or cannot be reached within the client's [RetryPolicy]
    public void follow(EventQuery query, Consumer<TaskEvent> each) {
        follow(query, each, _ -> {});
    }

    /// Follows the log with the events of the engines' subjects too, if the query includes them.
    /// All events come in one order.
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
        new EventStream(
                        transport,
                        place -> EVENTS + "/stream" + query.filters().with("after", place),
                        query.after(),
                        each)
                .follow();
    }
}
