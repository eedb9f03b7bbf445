package io.orchestrion.server.observe;

import io.orchestrion.kernel.signals.TransitionSeen;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.door.DoorItems;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.function.Function;

/// What the doors call requests, items and states, for logs and metrics.
final class DoorWords {
    private final Map<String, DoorDescription> doors = new HashMap<>();
    private final Map<String, DoorItems> byQueue = new HashMap<>();
    private final List<String> counted = new ArrayList<>();
    private final Set<String> detailed = new HashSet<>();
    private final Map<String, Function<UUID, String>> ids = new HashMap<>();

    DoorWords(List<? extends DoorDescription> all) {
        for (DoorDescription door : all) {
            doors.put(door.name(), door);
            ids.putAll(door.ids());
            if (door.logsEach()) {
                detailed.add(door.name());
            }
            DoorItems items = door.items();
            if (items != null) {
                counted.add(door.name());
                items.queues().forEach(queue -> byQueue.put(queue, items));
            }
        }
    }

    /// The doors whose items are counted, in their order. A queue has its door's name.
    List<String> counted() {
        return counted;
    }

    /// Of these every request and state change is logged unless the operator says otherwise.
    Set<String> detailed() {
        return detailed;
    }

    @Nullable DoorItems items(String queue) {
        return byQueue.get(queue);
    }

    /// The door's word for a state; a queue that no door shows keeps the kernel's.
    @Nullable String state(String queue, @Nullable String word, String event, int attempt) {
        DoorItems items = items(queue);
        return word == null || items == null ? word : items.state(word, event, attempt);
    }

    /// What the request is about, in the words of its door: its path or its handler says so.
    Map<String, String> ids(Call call) {
        DoorDescription door = doors.get(call.door());
        Map<String, String> ids = new TreeMap<>();
        if (door != null) {
            door.ids()
                    .forEach(
                            (name, shown) -> {
                                UUID id = call.id(name);
                                if (id != null) {
                                    ids.put(name, shown.apply(id));
                                }
                            });
        }
        return ids;
    }

    /// The name of the field of an item's owner.
    static String field(TransitionSeen.Owner owner) {
        return owner.kind() + "_id";
    }

    /// The owner's id as its door shows it.
    String id(TransitionSeen.Owner owner) {
        return ids.getOrDefault(field(owner), UUID::toString).apply(owner.id());
    }

    String action(Endpoint endpoint) {
        DoorDescription door = doors.get(endpoint.door());
        return door == null ? endpoint.name() : door.action(endpoint);
    }
}
