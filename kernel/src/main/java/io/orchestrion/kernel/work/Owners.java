package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import java.sql.SQLException;
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

    void ended(Tx tx, WorkVerbs verbs, Step step) throws SQLException {
        OwnerRef ref = step.after().owner();
        if (ref != null) {
            owner(ref.kind()).ended(tx, verbs, step);
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
