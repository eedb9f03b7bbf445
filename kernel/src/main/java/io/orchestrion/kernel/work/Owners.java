package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;

/// The engines that own items, by the word they are stored under.
public final class Owners {
    public static final Owners NONE = new Owners(List.of());

    private final Map<String, WorkOwner> byKind = new HashMap<>();

    public Owners(Collection<WorkOwner> owners) {
        for (WorkOwner owner : owners) {
            if (byKind.put(owner.kind(), owner) != null) {
                throw new IllegalArgumentException("two owners are called " + owner.kind());
            }
        }
    }

    boolean isEmpty() {
        return byKind.isEmpty();
    }

    /// Locks all of them in one order, whoever calls: first by kind, then by id.
    void lock(Tx tx, UUID accountId, Collection<OwnerRef> refs) throws SQLException {
        var ids = new TreeMap<String, TreeSet<UUID>>();
        refs.forEach(ref -> ids.computeIfAbsent(ref.kind(), _ -> new TreeSet<>()).add(ref.id()));
        for (var entry : ids.entrySet()) {
            owner(entry.getKey()).lock(tx, accountId, List.copyOf(entry.getValue()));
        }
    }

    /// Tells each engine of its own items that ended, in their order.
    void ended(Tx tx, WorkVerbs verbs, UUID account, List<Step> steps) throws SQLException {
        var byOwner = new TreeMap<String, List<Step>>();
        for (Step step : steps) {
            OwnerRef ref = step.after().owner();
            if (ref != null) {
                byOwner.computeIfAbsent(ref.kind(), _ -> new ArrayList<>()).add(step);
            }
        }
        for (var entry : byOwner.entrySet()) {
            owner(entry.getKey()).endedAll(tx, verbs, account, entry.getValue());
        }
    }

    private WorkOwner owner(String kind) {
        WorkOwner owner = byKind.get(kind);
        if (owner == null) {
            throw new IllegalStateException("no engine owns items of kind " + kind);
        }
        return owner;
    }
}
