package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// What the items that another waits for mean to it.
final class Dependencies {
    private Dependencies() {}

    /// What follows for the child by its rule.
    enum Verdict {
        WAIT,
        GO,
        CANCEL,
        HOLD
    }

    static Verdict verdict(IfParentFails rule, List<Dependency> parents) {
        if (rule != IfParentFails.IGNORE && parents.stream().anyMatch(Dependency::failed)) {
            return rule == IfParentFails.HOLD ? Verdict.HOLD : Verdict.CANCEL;
        }
        return parents.stream().anyMatch(Dependency::open) ? Verdict.WAIT : Verdict.GO;
    }

    /// Why the child does not go on, naming the first that failed.
    static String reason(List<Dependency> parents) {
        return parents.stream()
                .filter(Dependency::failed)
                .findFirst()
                .map(parent -> "dependency " + parent.parentId() + " did not complete")
                .orElse("a dependency did not complete");
    }

    /// What to do to a child that waits; null where it goes on waiting as it does.
    static @Nullable Command command(WorkItem child, List<Dependency> parents) {
        IfParentFails rule = child.links().ifParentFails();
        boolean waits = child.waitReason() == WaitReason.DEPENDENCY;
        boolean held = child.waitReason() == WaitReason.HOLD;
        if (rule == null || (!waits && !held)) {
            return null;
        }
        // What is held under another rule is held by somebody, who alone lets it go.
        boolean heldForThem = held && rule == IfParentFails.HOLD;
        return switch (verdict(rule, parents)) {
            case CANCEL -> new Command.Withdraw(reason(parents));
            case HOLD -> waits ? new Command.Hold(reason(parents)) : null;
            case GO -> waits || heldForThem ? new Command.Release() : null;
            case WAIT -> heldForThem ? new Command.Release(true) : null;
        };
    }

    /// Who is let go although parents failed no longer minds these; which of them still wait for
    /// others that are open.
    static Set<UUID> waive(Tx tx, UUID account, List<Order> orders, Map<UUID, WorkItem> locked)
            throws SQLException {
        var held = new ArrayList<UUID>();
        for (Order order : orders) {
            WorkItem item = locked.get(order.id());
            if (order.command() instanceof Command.Release
                    && item != null
                    && item.links().ifParentFails() != null
                    && item.waitReason() == WaitReason.HOLD
                    && item.profile().equals(order.profile().name())) {
                held.add(item.id());
            }
        }
        var stillWait = new HashSet<UUID>();
        if (!held.isEmpty()) {
            DependencySql.waive(tx, account, held);
            DependencySql.of(tx, account, held)
                    .forEach(
                            (id, parents) -> {
                                if (parents.stream().anyMatch(Dependency::open)) {
                                    stillWait.add(id);
                                }
                            });
        }
        return stillWait;
    }

    /// The documents of these items with what each waits for, where any of them does.
    static Map<UUID, Documents> withParents(
            Tx tx, UUID account, List<WorkItem> items, Map<UUID, Documents> documents)
            throws SQLException {
        List<UUID> children =
                items.stream()
                        .filter(item -> item.links().ifParentFails() != null)
                        .map(WorkItem::id)
                        .toList();
        if (children.isEmpty()) {
            return documents;
        }
        var all = new HashMap<>(documents);
        DependencySql.of(tx, account, children)
                .forEach((id, parents) -> all.computeIfPresent(id, (_, one) -> one.with(parents)));
        return all;
    }

    static List<WorkView> withParents(Tx tx, UUID account, List<WorkView> views)
            throws SQLException {
        if (views.stream().allMatch(view -> view.item().links().ifParentFails() == null)) {
            return views;
        }
        var documents = new HashMap<UUID, Documents>();
        views.forEach(view -> documents.put(view.item().id(), view.documents()));
        Map<UUID, Documents> all =
                withParents(tx, account, views.stream().map(WorkView::item).toList(), documents);
        return views.stream()
                .map(
                        view ->
                                new WorkView(
                                        view.item(),
                                        all.getOrDefault(view.item().id(), view.documents()),
                                        view.nowMs()))
                .toList();
    }
}
