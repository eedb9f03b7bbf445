package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.dependency.Dependencies;
import io.orchestrion.kernel.verbs.UniqueSql.Holder;
import io.orchestrion.kernel.verbs.UniqueSql.Key;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Decision;
import io.orchestrion.kernel.work.Dependency;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.Terms.OnConflict;
import io.orchestrion.kernel.work.Terms.Parents;
import io.orchestrion.kernel.work.Terms.Unique;
import io.orchestrion.kernel.work.Transition;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/// Decides several submissions of one account as if they came one after the other: which are
/// allowed, and what each waits for. It locks all that it looks at: first the unique keys in their
/// order, then all items in the order of their ids. Deciding writes nothing, so it can be repeated
/// when the month has room for fewer.
final class SubmitTerms {
    private final WorkVerbs verbs;
    private final Tx tx;
    private final UUID account;
    private final List<Submission> submissions;
    private final Map<Key, Holder> holders;
    private final Map<UUID, WorkItem> locked;
    private final Map<UUID, Documents> documents;

    private SubmitTerms(
            WorkVerbs verbs,
            Tx tx,
            UUID account,
            List<Submission> submissions,
            Map<Key, Holder> holders,
            Map<UUID, WorkItem> locked,
            Map<UUID, Documents> documents) {
        this.verbs = verbs;
        this.tx = tx;
        this.account = account;
        this.submissions = submissions;
        this.holders = holders;
        this.locked = locked;
        this.documents = documents;
    }

    /// What was decided, and all that is to be written for it.
    ///
    /// @param drafts the new items as they begin
    /// @param transitions changes of existing items, to be written after the new ones
    /// @param parents by child
    /// @param marked parents that have to tell when they end
    /// @param taken which item has each key that was looked at; a key that no item has is absent
    record Decided(
            List<Submitted> answers,
            List<WorkView> drafts,
            List<Transition> transitions,
            Map<UUID, List<Dependency>> parents,
            Set<UUID> marked,
            Map<Key, UUID> taken) {}

    /// Without terms, the database is not asked at all.
    ///
    /// @param candidates one for each submission; those that may be created are looked at
    static SubmitTerms lock(
            WorkVerbs verbs,
            Tx tx,
            UUID account,
            List<Submission> submissions,
            List<Submitted> candidates)
            throws SQLException {
        var wanted = new HashMap<Key, UUID>();
        var ids = new TreeSet<UUID>();
        var shown = new HashSet<Key>();
        for (int i = 0; i < submissions.size(); i++) {
            NewWork work = submissions.get(i).work();
            if (candidates.get(i) instanceof Submitted.Created(var view)) {
                Unique unique = work.terms().unique();
                if (unique != null) {
                    wanted.putIfAbsent(key(work, unique), view.item().id());
                    if (unique.onConflict() == OnConflict.RETURN_EXISTING) {
                        shown.add(key(work, unique));
                    }
                }
                Parents parents = work.terms().parents();
                if (parents != null) {
                    ids.addAll(parents.ids());
                }
            }
        }
        Map<Key, Holder> holders =
                wanted.isEmpty() ? Map.of() : UniqueSql.lock(tx, account, wanted);
        holders.values().forEach(holder -> ids.add(holder.workId()));
        Map<UUID, WorkItem> locked =
                ids.isEmpty() ? Map.of() : WorkSql.lock(tx, account, List.copyOf(ids), true);
        var existing = new ArrayList<WorkItem>();
        for (Key key : shown) {
            Holder holder = holders.get(key);
            WorkItem item = holder == null ? null : locked.get(holder.workId());
            if (item != null) {
                existing.add(item);
            }
        }
        Map<UUID, Documents> documents =
                existing.isEmpty()
                        ? Map.of()
                        : Dependencies.withParents(
                                tx,
                                account,
                                existing,
                                WorkSql.documents(
                                        tx, account, existing.stream().map(WorkItem::id).toList()));
        return new SubmitTerms(verbs, tx, account, submissions, holders, locked, documents);
    }

    private static Key key(NewWork work, Unique unique) {
        return new Key(work.queue(), work.kind(), unique.key());
    }

    /// @param most how many metered ones may be created
    /// @param beyond the answer to the rest
    Decided decide(List<Submitted> candidates, int most, @Nullable Submitted beyond)
            throws SQLException {
        return new Pass(most, beyond).run(candidates);
    }

    /// Writes which item has each key now. A key whose item is gone, and that no new item took, is
    /// free again.
    void writeKeys(Map<Key, UUID> taken) throws SQLException {
        var handed = new LinkedHashMap<Key, UUID>();
        var free = new ArrayList<Key>();
        holders.forEach(
                (key, before) -> {
                    UUID now = taken.get(key);
                    if (now == null) {
                        free.add(key);
                    } else if (!now.equals(before.workId())) {
                        handed.put(key, now);
                    }
                });
        if (!handed.isEmpty()) {
            UniqueSql.handOver(tx, account, handed);
        }
        if (!free.isEmpty()) {
            UniqueSql.giveBack(tx, account, free);
        }
    }

    /// One pass over all submissions. Each sees the changes of those before it.
    private final class Pass {
        private final int most;
        private final @Nullable Submitted beyond;
        private final Map<UUID, WorkItem> items = new HashMap<>(locked);
        private final Map<UUID, WorkView> made = new LinkedHashMap<>();
        private final Map<Key, Holder> keys = new HashMap<>();
        private final Map<Key, UUID> taken = new HashMap<>();
        private final List<Transition> transitions = new ArrayList<>();
        private final Map<UUID, List<Dependency>> parents = new LinkedHashMap<>();
        private final Set<UUID> marked = new LinkedHashSet<>();
        private int metered;

        Pass(int most, @Nullable Submitted beyond) {
            this.most = most;
            this.beyond = beyond;
            holders.forEach(
                    (key, holder) -> {
                        if (locked.containsKey(holder.workId())) {
                            keys.put(key, holder);
                            taken.put(key, holder.workId());
                        }
                    });
        }

        Decided run(List<Submitted> candidates) throws SQLException {
            var answers = new ArrayList<Submitted>();
            for (int i = 0; i < candidates.size(); i++) {
                answers.add(
                        candidates.get(i) instanceof Submitted.Created(var view)
                                ? decide(submissions.get(i).work(), view)
                                : candidates.get(i));
            }
            return new Decided(
                    answers, List.copyOf(made.values()), transitions, parents, marked, taken);
        }

        private Submitted decide(NewWork work, WorkView view) throws SQLException {
            List<Dependency> mine = new ArrayList<>();
            Parents wanted = work.terms().parents();
            List<UUID> named = wanted == null ? List.of() : wanted.ids();
            for (int i = 0; i < named.size(); i++) {
                WorkItem parent = items.get(named.get(i));
                if (parent == null
                        || !parent.queue().equals(work.queue())
                        || !parent.profile().equals(work.profile().name())) {
                    return new Submitted.UnknownParent(named.get(i), i);
                }
                mine.add(Dependency.on(parent));
            }
            Unique unique = work.terms().unique();
            WorkItem inTheWay = unique == null ? null : inTheWay(key(work, unique), unique);
            boolean replaces =
                    unique != null
                            && inTheWay != null
                            && unique.onConflict() == OnConflict.REPLACE_PENDING
                            && !inTheWay.state().held()
                            && !inTheWay.state().ended();
            if (inTheWay != null && !replaces) {
                return unique != null && unique.onConflict() == OnConflict.RETURN_EXISTING
                        ? new Submitted.Existing(existing(inTheWay))
                        : new Submitted.UniqueConflict(inTheWay, tx.nowMillis());
            }
            if (work.profile().keeping().metered() && metered++ >= most && beyond != null) {
                return beyond;
            }
            UUID id = view.item().id();
            if (inTheWay != null) {
                change(inTheWay, new Command.Withdraw("replaced by " + id));
            }
            if (unique != null) {
                keys.put(key(work, unique), new Holder(id, tx.nowMillis()));
                taken.put(key(work, unique), id);
            }
            return new Submitted.Created(created(work, view, mine));
        }

        private @Nullable WorkItem inTheWay(Key key, Unique unique) {
            Holder holder = keys.get(key);
            WorkItem item = holder == null ? null : items.get(holder.workId());
            if (holder == null || item == null || !unique.states().contains(item.state())) {
                return null;
            }
            Long period = unique.periodMs();
            return period == null || tx.nowMillis() - holder.createdMs() < period ? item : null;
        }

        private WorkView existing(WorkItem item) {
            WorkView mine = made.get(item.id());
            Documents its = mine == null ? documents.get(item.id()) : mine.documents();
            if (its == null) {
                throw new IllegalStateException("item " + item.id() + " has no payload");
            }
            return new WorkView(item, its, tx.nowMillis());
        }

        private WorkView created(NewWork work, WorkView view, List<Dependency> mine)
                throws SQLException {
            WorkItem item = view.item();
            Documents its = view.documents();
            Parents wanted = work.terms().parents();
            if (wanted != null) {
                boolean waits =
                        Dependencies.verdict(wanted.ifFails(), mine) != Dependencies.Verdict.GO;
                item = work.at(item.id(), tx.nowMillis(), waits ? WaitReason.DEPENDENCY : null);
                its = its.with(mine);
                parents.put(item.id(), mine);
                wanted.ids().forEach(this::mark);
            }
            var fresh = new WorkView(item, its, view.nowMs());
            made.put(item.id(), fresh);
            items.put(item.id(), item);
            Command command = Dependencies.command(item, mine);
            return command == null ? fresh : new WorkView(change(item, command), its, view.nowMs());
        }

        /// Marks those parents that may still end, for the first time or again.
        private void mark(UUID id) {
            WorkItem parent = items.get(id);
            if (parent != null
                    && parent.state() != WorkState.SUCCEEDED
                    && parent.state() != WorkState.CANCELLED) {
                items.put(id, parent.asParent());
                if (!parent.links().hasDependents()) {
                    marked.add(id);
                }
            }
        }

        private WorkItem change(WorkItem item, Command command) throws SQLException {
            if (verbs.decideOn(tx, item, command) instanceof Decision.Change(var made, _)) {
                transitions.addAll(made);
                items.put(item.id(), made.getLast().after());
                return made.getLast().after();
            }
            throw new IllegalStateException(command + " did nothing to " + item);
        }
    }
}
