package io.orchestrion.kernel.dependency;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Dependency;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.IfParentFails;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkView;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// Decides what the ends of other items mean to an item that waits for them.
public final class Dependencies {
    private Dependencies() {}

    /// What follows for the child by its rule.
    public enum Verdict {
        WAIT,
        GO,
        CANCEL,
        HOLD
    }

    public static Verdict verdict(IfParentFails rule, List<Dependency> parents) {
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

    /// The command for a child that waits; null where it has to wait on.
    public static @Nullable Command command(WorkItem child, List<Dependency> parents) {
        IfParentFails rule = child.links().ifParentFails();
        boolean waits = child.waitReason() == WaitReason.DEPENDENCY;
        boolean held = child.waitReason() == WaitReason.HOLD;
        if (rule == null || (!waits && !held)) {
            return null;
        }
        // A child that is held under another rule is held by somebody, and only that one releases
        // it.
        boolean heldForThem = held && rule == IfParentFails.HOLD;
        return switch (verdict(rule, parents)) {
            case CANCEL -> new Command.Withdraw(reason(parents));
            case HOLD -> waits ? new Command.Hold(reason(parents)) : null;
            case GO -> waits || heldForThem ? new Command.Release() : null;
            case WAIT -> heldForThem ? new Command.Release(true) : null;
        };
    }

    /// A child that is released although parents failed ignores those from now on. Returns the
    /// children that still wait for open parents.
    public static Set<UUID> waive(
            Tx tx, UUID account, List<CommandRequest> requests, Map<UUID, WorkItem> locked)
            throws SQLException {
        var held = new ArrayList<UUID>();
        for (CommandRequest request : requests) {
            WorkItem item = locked.get(request.id());
            if (request.command() instanceof Command.Release
                    && item != null
                    && item.links().ifParentFails() != null
                    && item.waitReason() == WaitReason.HOLD
                    && item.profile().equals(request.profile().name())) {
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
    public static Map<UUID, Documents> withParents(
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

    public static List<WorkView> withParents(Tx tx, UUID account, List<WorkView> views)
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
