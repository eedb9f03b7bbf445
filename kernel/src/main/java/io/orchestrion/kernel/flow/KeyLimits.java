package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// Holds claims that name their item to the limits of its key, under the same lock as the others.
public final class KeyLimits {

    /// An item about to be claimed by its id.
    public record Named(UUID id, String queue, String kind, FlowKey key) {}

    /// Which of the two limits.
    public enum Limit {
        CONCURRENCY,
        RATE
    }

    /// Why the item cannot be claimed now.
    ///
    /// @param waitMs until there may be room: for a slot, when its lease ends if nobody renews it
    public record Busy(Limit limit, int max, long waitMs) {}

    /// What is left for one item, as read under the lock.
    record Room(
            UUID id,
            @Nullable Integer concurrencyMax,
            @Nullable Integer held,
            @Nullable Long firstEndMs,
            @Nullable Integer rateMax,
            @Nullable Long ratePeriodMs,
            @Nullable Integer starts,
            @Nullable Long nextMs) {}

    private record Shared(String queue, String kind, String key) {}

    private final Tx tx;
    private final UUID account;
    private final Map<UUID, Named> named = new HashMap<>();
    private final Map<UUID, Room> rooms = new HashMap<>();
    private final Map<Shared, Integer> slotsTaken = new HashMap<>();
    private final Map<Shared, Integer> startsTaken = new HashMap<>();
    private final Starts starts = new Starts();

    private KeyLimits(Tx tx, UUID account) {
        this.tx = tx;
        this.account = account;
    }

    /// Reads the limits of these items, and locks the rings of those that have any. Items without a
    /// key need not be given, because nothing limits them.
    public static KeyLimits of(Tx tx, UUID account, List<Named> items) throws SQLException {
        var limits = new KeyLimits(tx, account);
        if (!items.isEmpty()) {
            limits.read(items);
        }
        return limits;
    }

    private void read(List<Named> items) throws SQLException {
        TreeMap<String, TreeSet<String>> limited = FlowSql.limitedKinds(tx, account, items);
        List<Named> mine =
                items.stream()
                        .filter(
                                item ->
                                        limited.getOrDefault(item.queue(), new TreeSet<>())
                                                .contains(item.kind()))
                        .toList();
        if (mine.isEmpty()) {
            return;
        }
        for (var queue : limited.entrySet()) {
            FlowClaim.lock(tx, account, queue.getKey(), queue.getValue());
        }
        mine.forEach(item -> named.put(item.id(), item));
        FlowSql.rooms(tx, account, mine).forEach(room -> rooms.put(room.id(), room));
    }

    /// Null when it may be claimed.
    public @Nullable Busy busy(UUID id) {
        Room room = rooms.get(id);
        Named item = named.get(id);
        if (room == null || item == null) {
            return null;
        }
        if (room.concurrencyMax() != null && room.held() != null) {
            int held = room.held() + slotsTaken.getOrDefault(slots(item), 0);
            if (item.key().concurrency() != null && held >= room.concurrencyMax()) {
                return new Busy(Limit.CONCURRENCY, room.concurrencyMax(), until(room.firstEndMs()));
            }
        }
        if (room.rateMax() != null && room.starts() != null && item.key().rate() != null) {
            int started = room.starts() + startsTaken.getOrDefault(starts(item), 0);
            if (started >= room.rateMax()) {
                Long period = room.ratePeriodMs();
                return new Busy(
                        Limit.RATE,
                        room.rateMax(),
                        room.nextMs() == null && period != null ? period : until(room.nextMs()));
            }
        }
        return null;
    }

    private long until(@Nullable Long atMs) {
        return atMs == null ? 1000 : Math.max(1, atMs - tx.nowMillis());
    }

    /// The item was claimed.
    public void taken(UUID id) {
        Room room = rooms.get(id);
        Named item = named.get(id);
        if (room == null || item == null) {
            return;
        }
        slotsTaken.merge(slots(item), 1, Integer::sum);
        startsTaken.merge(starts(item), 1, Integer::sum);
        starts.add(
                item.queue(),
                item.kind(),
                room.rateMax() == null ? null : item.key().rate(),
                room.ratePeriodMs());
    }

    private static Shared slots(Named item) {
        return new Shared(item.queue(), item.kind(), String.valueOf(item.key().concurrency()));
    }

    private static Shared starts(Named item) {
        return new Shared(item.queue(), item.kind(), String.valueOf(item.key().rate()));
    }

    /// Counts the starts of all that were taken.
    public void write() throws SQLException {
        starts.write(tx, account);
    }
}
