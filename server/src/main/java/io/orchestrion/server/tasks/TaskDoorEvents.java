package io.orchestrion.server.tasks;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.work.HistoryEntry;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.json.JsonWriter;

import java.util.List;
import java.util.UUID;

/// What happens to tasks, as those who are called back hear it.
public final class TaskDoorEvents implements DoorEvents {
    private static final String PREFIX = "task.";

    @Override
    public String queue() {
        return TaskSpecs.PROFILE.queue();
    }

    @Override
    public List<String> names() {
        return TaskEvent.WORDS.stream().map(PREFIX::concat).toList();
    }

    @Override
    public List<Told> told(Tx tx, UUID account, List<FeedEvent> events) {
        return events.stream().map(event -> told(account, event)).toList();
    }

    private static Told told(UUID account, FeedEvent event) {
        UUID id = DoorEvents.idOf(account, event);
        HistoryEntry entry = event.entry();
        WorkState from = entry.from();
        String name = PREFIX + TaskEvent.of(entry).word();
        String body =
                JsonWriter.objectText(
                        out ->
                                out.text("event_id", id.toString())
                                        .text("event_name", name)
                                        .instant("timestamp", entry.atMs())
                                        .text("task_id", event.workId().toString())
                                        .text("task_type", event.kind())
                                        .text(
                                                "prev_state",
                                                from == null ? null : TaskStatus.of(from).word())
                                        .text("next_state", TaskStatus.of(entry.to()).word())
                                        .integer("attempt", entry.attempt())
                                        .text("worker_id", entry.holder())
                                        .text("reason", entry.detail()));
        return new Told(event, id, name, body, null);
    }
}
