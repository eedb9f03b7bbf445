package io.orchestrion.kernel.verbs;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.history.EventRow;
import io.orchestrion.kernel.verbs.OwnedSql.Batch;
import io.orchestrion.kernel.verbs.OwnedSql.Changed;
import io.orchestrion.kernel.work.Fence;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.Report;
import io.orchestrion.kernel.work.WorkEnd;
import io.orchestrion.kernel.work.WorkEvent;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.kernel.work.WorkState;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.UUID;

/// What an engine does to all items of one owner: hold, release, revoke, ask to pause, remove. One
/// statement changes many items, in the engine's own transaction, which has locked the owner's row.
/// While there are more items, the engine calls again, in the same transaction or in further ones.
public final class OwnedItems {
    /// The profiles whose items can be held. A profile that shows waiting to the outside is not
    /// among them.
    private static final List<String> HOLDABLE =
            Profiles.ALL.stream()
                    .filter(profile -> profile.lifecycle().allows(WorkState.READY, WorkEvent.HOLD))
                    .map(Profile::name)
                    .toList();

    private final WorkVerbs verbs;

    OwnedItems(WorkVerbs verbs) {
        this.verbs = verbs;
    }

    /// @param changed how many items this call changed
    /// @param more whether there may be further ones
    public record Done(int changed, boolean more) {}

    /// Why somebody may not say anything about the item as its holder; null when he may. The item
    /// stays as it is until the end of the transaction, so that what is written meanwhile is
    /// written by its holder.
    public @Nullable Refusal refusal(Tx tx, UUID account, UUID id, Fence fence)
            throws SQLException {
        WorkItem item = WorkSql.lock(tx, account, List.of(id), true).get(id);
        return item == null
                ? new Refusal.NotFound()
                : fence.refusal(item, WorkState.RUNNING, tx.nowMillis());
    }

    /// Holds back every item without a holder, until it is released. An item that somebody works on
    /// goes on.
    public Done hold(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        return follow(
                tx,
                account,
                WorkEvent.HOLD,
                OwnedSql.hold(tx, account, owner, HOLDABLE, most),
                most);
    }

    /// Releases held items. Each becomes what it would be without the hold: ready, or waiting for
    /// its time or its parents.
    public Done release(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        return follow(
                tx,
                account,
                WorkEvent.RELEASE,
                OwnedSql.release(tx, account, owner, HOLDABLE, most),
                most);
    }

    /// Ends every open item as cancelled. Where somebody works on one, the lease is worth nothing
    /// from then on. The owner is told of each end.
    public Done revoke(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        return revoke(tx, account, owner, null, most);
    }

    /// The same for these items only. Those that have ended already stay as they are.
    public Done revoke(Tx tx, UUID account, OwnerRef owner, List<UUID> ids) throws SQLException {
        return revoke(tx, account, owner, ids, ids.size());
    }

    private Done revoke(Tx tx, UUID account, OwnerRef owner, @Nullable List<UUID> ids, int most)
            throws SQLException {
        var purgeAfters = new HashMap<String, Long>();
        for (Profile profile : Profiles.ALL) {
            Long after = verbs.purgeAfterMs(tx, account, profile);
            if (after != null) {
                purgeAfters.put(profile.name(), after);
            }
        }
        Batch batch = OwnedSql.revoke(tx, account, owner, ids, purgeAfters, most);
        Done done = follow(tx, account, WorkEvent.CANCEL, batch, most);
        verbs.ended(
                tx,
                account,
                batch.changed().stream()
                        .map(
                                one ->
                                        new WorkEnd(
                                                WorkEvent.CANCEL,
                                                one.from(),
                                                one.item(),
                                                null,
                                                null,
                                                Report.NONE))
                        .toList());
        return done;
    }

    /// Asks every holder of one of the items to come to a halt. Holders learn of it with their next
    /// heartbeat. They keep their leases, and their reports count. Items without a holder are held
    /// back with [#hold].
    public Done askToPause(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        return asked(OwnedSql.askToPause(tx, account, owner, true, most), most);
    }

    /// Tells holders that were asked to pause, and still hold their item, to go on.
    public Done askToGoOn(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        return asked(OwnedSql.askToPause(tx, account, owner, false, most), most);
    }

    private static Done asked(OwnedSql.Asked asked, int most) {
        return new Done(asked.changed(), asked.seen() == most);
    }

    /// Removes ended items, with their histories and all that belongs to them. It is for an engine
    /// that removes its own row, in the same transaction or later. Open items stay, so an engine
    /// revokes first. An item that another session has locked is left for the next call.
    public Done remove(Tx tx, UUID account, OwnerRef owner, int most) throws SQLException {
        List<UUID> ended = OwnedSql.lockEnded(tx, account, owner, most);
        int removed = ended.isEmpty() ? 0 : RetentionSql.remove(tx, account, ended);
        return new Done(removed, ended.size() == most);
    }

    private Done follow(Tx tx, UUID account, WorkEvent event, Batch batch, int most)
            throws SQLException {
        var events = new ArrayList<EventRow>();
        List<WorkItem> items = batch.changed().stream().map(Changed::item).toList();
        for (Changed one : batch.changed()) {
            events.add(EventRow.of(one.item(), event, one.from()));
            if (one.from().held()) {
                verbs.wakeForSlot(tx, one.item());
            }
        }
        verbs.tell(tx, account, events);
        verbs.parentEnds().note(tx, account, items);
        verbs.wakeFor(tx, items);
        return new Done(items.size(), batch.seen() == most);
    }
}
