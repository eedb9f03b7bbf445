package io.orchestrion.server.door;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/// How logs and metrics name the items that a door shows. States are given in the kernel's words;
/// in totals, one that waits after a failure is `backoff`.
public interface DoorItems {
    Set<String> WAITS = Set.of("waiting", "backoff", "ready");

    /// The queues whose items are named in the door's words. Metrics count the one that has the
    /// door's own name.
    List<String> queues();

    /// The door's word for a state, for logs.
    ///
    /// @param event that led to the state, empty for the state before. It tells one wait from
    ///     another. Without it the attempts do: an item that waits for its first time has none
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
