package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.flow.FlowPicker.Head;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// One claim on one type with limits, under the lock of the type's ring. It picks the next items
/// key by key, and the caller leases them. Slots are counted from the leases themselves, by a
/// statement that begins after the lock is held. So there is no stored count that could go wrong.
public final class FlowClaim {
    /// Keys are read in pages that grow, for most claims find what they want among the first.
    private static final int FIRST_PAGE = 8;

    private static final int PAGE_GROWTH = 4;
    private static final int LARGEST_PAGE = 1024;

    /// One claim passes over at most so many pages of keys without room; the next claim goes on
    /// after them.
    private static final int PAGES = 8;

    /// One item to lease.
    ///
    /// @param rateKey null when its starts are not counted
    public record Picked(
            UUID id, String flowKey, @Nullable String rateKey, @Nullable Long ratePeriodMs) {}

    private final Tx tx;
    private final UUID account;
    private final String queue;
    private final String kind;
    private String lastKey;
    private boolean exhausted;

    private FlowClaim(Tx tx, UUID account, String queue, String kind, String lastKey) {
        this.tx = tx;
        this.account = account;
        this.queue = queue;
        this.kind = kind;
        this.lastKey = lastKey;
    }

    /// Locks the rings of these kinds, always in the same order, until the transaction ends.
    public static Map<String, FlowClaim> begin(
            Tx tx, UUID account, String queue, SortedSet<String> kinds) throws SQLException {
        var claims = new TreeMap<String, FlowClaim>();
        if (kinds.isEmpty()) {
            return claims;
        }
        lock(tx, account, queue, kinds)
                .forEach(
                        (kind, lastKey) ->
                                claims.put(kind, new FlowClaim(tx, account, queue, kind, lastKey)));
        return claims;
    }

    /// The key served last of each kind; a ring that is not there is made.
    static Map<String, String> lock(Tx tx, UUID account, String queue, Set<String> kinds)
            throws SQLException {
        Map<String, String> rings = FlowSql.lockRings(tx, account, queue, kinds);
        if (rings.size() == kinds.size()) {
            return rings;
        }
        var missing = new TreeSet<>(kinds);
        missing.removeAll(rings.keySet());
        FlowSql.makeRings(tx, account, queue, missing);
        rings.putAll(FlowSql.lockRings(tx, account, queue, missing));
        return rings;
    }

    /// Picks up to so many items whose keys have room. An empty list means that there are none.
    public List<Picked> pick(int wanted) throws SQLException {
        var picker = new FlowPicker(wanted);
        String after = lastKey;
        boolean lap = false;
        int keys = Math.max(wanted, FIRST_PAGE);
        boolean around = false;
        for (int page = 0; page < PAGES && !around && !picker.full(); page++) {
            int most = Math.min(keys, LARGEST_PAGE);
            List<Head> heads =
                    FlowSql.page(tx, account, queue, kind, after, lap, lastKey, most, wanted);
            picker.offer(heads);
            around = heads.isEmpty() || heads.getLast().turn() < most;
            if (!heads.isEmpty()) {
                after = heads.getLast().flowKey();
                lap = heads.getLast().lap();
            }
            keys *= PAGE_GROWTH;
        }
        // The round is complete and not all that was wanted was taken. What is left lies deeper in
        // its keys.
        exhausted = around && !picker.anyOffered();
        if (!picker.picked().isEmpty()) {
            lastKey = picker.picked().getLast().flowKey();
        } else if (!around) {
            lastKey = after;
            FlowSql.moveRing(tx, account, queue, kind, lastKey);
        }
        return picker.picked();
    }

    /// Whether another look would find nothing.
    public boolean exhausted() {
        return exhausted;
    }

    /// Counts the starts of the picked items that were leased. The caller has moved the ring to the
    /// key of the last one already.
    public void leased(List<Picked> picked, Set<UUID> leased) throws SQLException {
        var starts = new Starts();
        for (Picked each : picked) {
            if (leased.contains(each.id())) {
                starts.add(queue, kind, each.rateKey(), each.ratePeriodMs());
            }
        }
        starts.write(tx, account);
    }
}
