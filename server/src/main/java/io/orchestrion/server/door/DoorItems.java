package io.orchestrion.server.door;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// What logs and metrics say of the items that a door shows. States come in the kernel's words, as
/// they are stored; one that waits after a failure is `backoff` in totals.
public interface DoorItems {
    Set<String> WAITS = Set.of("waiting", "backoff", "ready");

    /// The queues whose items are told in the door's words. Metrics count the one that has the
    /// door's own name.
    List<String> queues();

    /// The door's word for a state, for logs.
    ///
    /// @param event that led to the state, empty for the state before: it tells the waits apart,
    ///     and else the attempts do, for nobody has tried what waits for its first time
    String state(String word, String event, int attempt);

    /// Whether the door calls the state queued. Where what is scheduled is pending too, it becomes
    /// ready without a word in the log.
    default boolean queued(String word) {
        return WAITS.contains(word);
    }

    /// The states by which open items are counted, with the stored words that each of them means.
    default Map<String, Predicate<String>> open() {
        Map<String, Predicate<String>> states = new TreeMap<>();
        states.put("queued", this::queued);
        states.put("running", word -> word.equals("running"));
        return states;
    }

    /// What the logs call an item's kind.
    default String kindField() {
        return "type";
    }

    /// Why an attempt failed, where the door keeps more in the detail than words for people.
    record Failure(String code, String text) {}

    default @Nullable Failure failure(@Nullable String detail) {
        return null;
    }
}
