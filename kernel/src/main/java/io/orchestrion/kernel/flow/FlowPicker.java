package io.orchestrion.kernel.flow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// Chooses from the heads of many keys: the first of each key before the second of any, and never
/// more than a key has room for. Keys that share a slot key or a rate key share its room.
final class FlowPicker {

    /// One ready item near the head of its key, or a key from which nothing may be taken.
    ///
    /// @param turn the key's place in the round
    /// @param concurrencyRoom slots left for the key, null when it is not limited
    /// @param rateRoom starts left for the key
    /// @param id null when the key has no room
    record Head(
            int turn,
            String flowKey,
            boolean lap,
            @Nullable Integer concurrencyRoom,
            @Nullable Integer rateRoom,
            @Nullable Long ratePeriodMs,
            @Nullable UUID id) {}

    private record Candidate(Head head, FlowKey key, int depth) {}

    private final Map<String, Integer> slotsLeft = new HashMap<>();
    private final Map<String, Integer> startsLeft = new HashMap<>();
    private final List<FlowClaim.Picked> picked = new ArrayList<>();
    private final int wanted;
    private int offered;

    FlowPicker(int wanted) {
        this.wanted = wanted;
    }

    /// Adds the next keys of the round, in order. Where keys share a room, what was taken for
    /// earlier ones stays taken: the room of a key is the one that was read first.
    void offer(List<Head> heads) {
        var candidates = new ArrayList<Candidate>();
        var depths = new HashMap<String, Integer>();
        for (Head head : heads) {
            if (head.id() != null) {
                int depth = depths.merge(head.flowKey(), 1, Integer::sum);
                candidates.add(new Candidate(head, FlowKey.read(head.flowKey()), depth));
            }
        }
        offered += candidates.size();
        candidates.sort(
                Comparator.comparingInt(Candidate::depth)
                        .thenComparingInt(candidate -> candidate.head().turn()));
        for (Candidate candidate : candidates) {
            if (full()) {
                return;
            }
            pick(candidate.head(), candidate.key());
        }
    }

    private void pick(Head head, FlowKey key) {
        String slots = head.concurrencyRoom() == null ? null : key.concurrency();
        String starts = head.rateRoom() == null ? null : key.rate();
        if (hasRoom(slotsLeft, slots, head.concurrencyRoom())
                && hasRoom(startsLeft, starts, head.rateRoom())
                && head.id() != null) {
            use(slotsLeft, slots);
            use(startsLeft, starts);
            picked.add(
                    new FlowClaim.Picked(head.id(), head.flowKey(), starts, head.ratePeriodMs()));
        }
    }

    private static boolean hasRoom(
            Map<String, Integer> left, @Nullable String key, @Nullable Integer room) {
        return key == null || room == null || left.computeIfAbsent(key, _ -> room) > 0;
    }

    private static void use(Map<String, Integer> left, @Nullable String key) {
        if (key != null) {
            left.merge(key, -1, Integer::sum);
        }
    }

    boolean full() {
        return picked.size() >= wanted;
    }

    List<FlowClaim.Picked> picked() {
        return picked;
    }

    /// Whether anything could be taken at all. Then another look may find items that lie deeper.
    boolean anyOffered() {
        return offered > 0;
    }
}
