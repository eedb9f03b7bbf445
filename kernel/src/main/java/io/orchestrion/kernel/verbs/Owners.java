package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.verbs.WorkOwner.Completion;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/// The engines that own items, each under the word that its items are stored with.
public final class Owners {
    /// Concurrent, because committers may run already when an engine is added.
    private final Map<String, WorkOwner> byKind = new ConcurrentHashMap<>();

    private final OwnedLeases leases = new OwnedLeases();

    public Owners(Collection<WorkOwner> owners) {
        owners.forEach(this::add);
    }

    /// Adds an engine, which must happen before any of its items is touched.
    public void add(WorkOwner owner) {
        if (byKind.putIfAbsent(owner.kind(), owner) != null) {
            throw new IllegalArgumentException("two owners are called " + owner.kind());
        }
    }

    boolean isEmpty() {
        return byKind.isEmpty();
    }

    /// Locks the owners that no other session holds. The order is the same for every caller: first
    /// by kind, then by id.
    Set<OwnerRef> lock(Tx tx, UUID accountId, Collection<OwnerRef> refs) throws SQLException {
        var ids = new TreeMap<String, TreeSet<UUID>>();
        refs.forEach(ref -> ids.computeIfAbsent(ref.kind(), _ -> new TreeSet<>()).add(ref.id()));
        var locked = new HashSet<OwnerRef>();
        for (var entry : ids.entrySet()) {
            String kind = entry.getKey();
            owner(kind)
                    .lock(tx, accountId, List.copyOf(entry.getValue()))
                    .forEach(id -> locked.add(new OwnerRef(kind, id)));
        }
        return locked;
    }

    /// Tells each engine which of its items were just claimed.
    void started(Tx tx, UUID account, List<WorkItem> items) throws SQLException {
        leases.note(items);
        for (var entry : byKind(items, Function.identity()).entrySet()) {
            owner(entry.getKey()).started(tx, account, entry.getValue());
        }
    }

    /// Whether this node has given out the item lately, and it has an owner.
    boolean likelyOwn(UUID id) {
        return leases.likely(id);
    }

    /// Why owners reject completions, by the ids of the items. Nothing of those that they accept,
    /// or that have no owner.
    Map<UUID, WorkError> judge(Tx tx, UUID account, List<Completion> all) throws SQLException {
        var rejected = new HashMap<UUID, WorkError>();
        for (var entry : byKind(all, Completion::item).entrySet()) {
            rejected.putAll(owner(entry.getKey()).judgeAll(tx, account, entry.getValue()));
        }
        return rejected;
    }

    /// Tells each engine which of its items ended, in the order of the ends.
    void ended(Tx tx, WorkVerbs verbs, UUID account, List<WorkEnd> ends) throws SQLException {
        for (var entry : byKind(ends, WorkEnd::item).entrySet()) {
            owner(entry.getKey()).endedAll(tx, verbs, account, entry.getValue());
        }
    }

    /// Groups those that have an owner by its kind.
    private static <T> Map<String, List<T>> byKind(List<T> all, Function<T, WorkItem> item) {
        var byKind = new TreeMap<String, List<T>>();
        for (T one : all) {
            OwnerRef ref = item.apply(one).owner();
            if (ref != null) {
                byKind.computeIfAbsent(ref.kind(), _ -> new ArrayList<>()).add(one);
            }
        }
        return byKind;
    }

    /// A sentence for people: why an item is left to its owner.
    String words(WorkItem item) {
        OwnerRef ref = item.owner();
        return ref == null
                ? "This task belongs to an engine, which alone may do this."
                : owner(ref.kind()).words().of(ref);
    }

    private WorkOwner owner(String kind) {
        WorkOwner owner = byKind.get(kind);
        if (owner == null) {
            throw new IllegalStateException("no engine owns items of kind " + kind);
        }
        return owner;
    }
}
