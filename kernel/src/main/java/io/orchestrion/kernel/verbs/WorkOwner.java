package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.OwnerWords;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.kernel.work.WorkItem;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/// An engine that makes work items and goes on when they end. The owner's row is locked before its
/// items. The engine is called in the transaction that ends an item, so that the end and what
/// follows from it are committed together. The engine's own transactions go through
/// [io.orchestrion.kernel.db.Database#retried] and lock the owner's row before they touch its
/// items. [OwnedItems] has the changes of all items of an owner at once.
public interface WorkOwner {
    /// The word that its items have in `owner_kind`.
    String kind();

    /// What callers are told when they try to change one of its items.
    default OwnerWords words() {
        return OwnerWords.of(kind());
    }

    /// Locks the owners' rows in the given order, passing over those that another session holds
    /// (`for update skip locked`), and says which it has locked.
    Set<UUID> lock(Tx tx, UUID accountId, List<UUID> ownerIds) throws SQLException;

    /// These items were claimed; called in the transaction of the claim. The owner's row is not
    /// locked and must not be locked here, because claims never wait for an owner. It is for rows
    /// below the items, such as the attempt that begins.
    default void started(Tx tx, UUID accountId, List<WorkItem> items) throws SQLException {}

    /// Looks at a completion before it is written, under the owner's lock. Null accepts it. An
    /// error fails the item with that error instead: [#ended] is called with it, and the holder is
    /// refused. Only for items whose failures are final by their profile.
    default @Nullable WorkError judge(Tx tx, WorkItem item, Command.Complete said)
            throws SQLException {
        return null;
    }

    /// A completion that was not written yet.
    record Completion(WorkItem item, Command.Complete said) {}

    /// The same for several of one account at once: the errors of those that are rejected, by the
    /// ids of their items.
    default Map<UUID, WorkError> judgeAll(Tx tx, UUID accountId, List<Completion> all)
            throws SQLException {
        var rejected = new HashMap<UUID, WorkError>();
        for (Completion one : all) {
            WorkError error = judge(tx, one.item(), one.said());
            if (error != null) {
                rejected.put(one.item().id(), error);
            }
        }
        return rejected;
    }

    /// The item has ended, and its owner is locked. Whatever is written here is committed with the
    /// end or not at all. Nothing may go over the network, and no other owner may be waited for: a
    /// further one is locked as [#lock] does.
    void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException;

    /// The same for several of one account at once, for an engine that writes them together.
    default void endedAll(Tx tx, WorkVerbs verbs, UUID accountId, List<WorkEnd> ends)
            throws SQLException {
        for (WorkEnd end : ends) {
            ended(tx, verbs, end);
        }
    }
}
