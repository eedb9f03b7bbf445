package io.orchestrion.server.tasks;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.server.door.DoorEvents;

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
        String name = PREFIX + TaskEvent.of(event.entry()).word();
        return DoorEvents.plain(account, event, name, "task", state -> TaskStatus.of(state).word());
    }
}
