package io.orchestrion.server.tasks;

import io.orchestrion.server.TestServer;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.UUID;

/// A task as storage has it, beside what the answers say.
public record Stored(TestServer server) {

    /// One row of the history, without what only the holder made of it.
    record Event(long atMs, String event, @Nullable String from, String to) {
        String words() {
            return event + " " + from + " " + to;
        }
    }

    /// Every column of the task's row.
    Map<String, @Nullable Object> row(String id) {
        return server.database()
                .rows("select * from work where id = ?", UUID.fromString(id))
                .getFirst();
    }

    String state(String id) {
        return server.database().value("select state from work where id = ?", UUID.fromString(id));
    }

    List<Event> history(String id) {
        return server
                .database()
                .rows(
                        "select * from work_event where work_id = ? order by seq",
                        UUID.fromString(id))
                .stream()
                .map(
                        row ->
                                new Event(
                                        (Long) row.get("at_ms"),
                                        (String) row.get("event"),
                                        (String) row.get("from_state"),
                                        (String) row.get("to_state")))
                .toList();
    }

    /// The history as `event from to`, oldest first.
    List<String> story(String id) {
        return history(id).stream().map(Event::words).toList();
    }

    long tasksOf(String accountId) {
        return server.database()
                .value(
                        "select count(*) from work where account_id = ?",
                        UUID.fromString(accountId));
    }

    /// The time that the server goes by.
    public long nowMs() {
        return server.kernel().kernel().database().transaction(tx -> tx.nowMillis());
    }
}
