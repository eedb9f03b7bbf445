package io.orchestrion.server.queue;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.server.door.DoorEvents;

import java.util.List;
import java.util.UUID;

/// How events of queue jobs are told to receivers. Heartbeats are in a job's own log and not told:
/// there may be one a second.
public final class QueueDoorEvents implements DoorEvents {
    private static final String PREFIX = "queue.";

    @Override
    public String queue() {
        return Profiles.QUEUE.log();
    }

    @Override
    public List<String> names() {
        return JobHappening.WORDS.stream()
                .filter(word -> !word.equals(JobHappening.HEARTBEAT.word()))
                .map(PREFIX::concat)
                .toList();
    }

    @Override
    public List<Told> told(Tx tx, UUID account, List<LogEvent> events) {
        return LogEvent.items(events).stream().map(event -> told(account, event)).toList();
    }

    private static Told told(UUID account, FeedEvent event) {
        String name = PREFIX + JobHappening.of(event.entry().event().word()).word();
        return DoorEvents.plain(account, event, name, "job", state -> JobStatus.of(state).word());
    }
}
