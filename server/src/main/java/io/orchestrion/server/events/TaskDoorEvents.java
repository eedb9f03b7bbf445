package io.orchestrion.server.events;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.kernel.events.LogEvent;
import io.orchestrion.server.door.DoorEvents;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.tasks.TaskStatus;

import java.util.List;
import java.util.UUID;

/// How events of tasks are told to receivers.
public final class TaskDoorEvents implements DoorEvents {
    private static final String PREFIX = "task.";

    @Override
    public String queue() {
        return TaskDoorSpecs.PROFILE.log();
    }

    @Override
    public List<String> names() {
        return TaskEvent.WORDS.stream().map(PREFIX::concat).toList();
    }

    @Override
    public List<Told> told(Tx tx, UUID account, List<LogEvent> events) {
        return LogEvent.items(events).stream().map(event -> told(account, event)).toList();
    }

    private static Told told(UUID account, FeedEvent event) {
        String name = PREFIX + TaskEvent.of(event.entry()).word();
        return DoorEvents.plain(account, event, name, "task", TaskStatus::word);
    }
}
