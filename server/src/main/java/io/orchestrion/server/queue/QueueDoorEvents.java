package io.orchestrion.server.queue;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.work.HistoryEntry;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.json.JsonWriter;

import java.util.List;
import java.util.UUID;

/// What happens to jobs of the queue, as those who are called back hear it. Heartbeats are in a
/// job's own log and not told: there may be one a second.
public final class QueueDoorEvents implements DoorEvents {
    private static final String PREFIX = "queue.";

    @Override
    public String queue() {
        return Profiles.QUEUE.queue();
    }

    @Override
    public List<String> names() {
        return JobHappening.WORDS.stream()
                .filter(word -> !word.equals(JobHappening.HEARTBEAT.word()))
                .map(PREFIX::concat)
                .toList();
    }

    @Override
    public List<Told> told(Tx tx, UUID account, List<FeedEvent> events) {
        return events.stream().map(event -> told(account, event)).toList();
    }

    private static Told told(UUID account, FeedEvent event) {
        UUID id = DoorEvents.idOf(account, event);
        HistoryEntry entry = event.entry();
        WorkState from = entry.from();
        String name = PREFIX + JobHappening.of(entry.event().word()).word();
        String body =
                JsonWriter.objectText(
                        out ->
                                out.text("event_id", id.toString())
                                        .text("event_name", name)
                                        .instant("timestamp", entry.atMs())
                                        .text("job_id", event.workId().toString())
                                        .text("job_type", event.kind())
                                        .text(
                                                "prev_state",
                                                from == null ? null : JobStatus.of(from).word())
                                        .text("next_state", JobStatus.of(entry.to()).word())
                                        .integer("attempt", entry.attempt())
                                        .text("worker_id", entry.holder())
                                        .text("reason", entry.detail()));
        return new Told(event, id, name, body, null);
    }
}
