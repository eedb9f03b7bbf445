package io.orchestrion.kernel.work;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.TestDatabase;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;

/// An engine as small as can be: a row for each owner, locked before its items, and a row for each
/// end of one of them. It can be told to fail, or to hand in follow-up work.
public class LedgerOwner implements WorkOwner {
    static final String KIND = "ledger";

    volatile boolean failing;
    volatile boolean followUp;
    volatile WorkError rejection;
    final List<WorkEnd> ends = new CopyOnWriteArrayList<>();
    final List<UUID> started = new CopyOnWriteArrayList<>();
    private final Map<UUID, Integer> passedOver = new ConcurrentHashMap<>();

    /// Cannot go on for one of its rows.
    static final class Broken extends LedgerOwner {
        private final UUID row;
        volatile boolean mended;

        Broken(UUID row) {
            this.row = row;
        }

        @Override
        public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
            OwnerRef of = end.item().owner();
            if (!mended && of != null && of.id().equals(row)) {
                throw new IllegalStateException("the owner cannot go on");
            }
            super.ended(tx, verbs, end);
        }
    }

    static void makeTables(TestDatabase database) {
        database.execute("create table ledger (account_id uuid, id uuid, primary key (id))");
        database.execute(
                "create table ledger_entry (owner_id uuid, work_id uuid, event text, state text,"
                        + " serial bigserial)");
    }

    static OwnerRef newOwner(WorkFixture fixture) {
        UUID id = UUID.randomUUID();
        fixture.database().execute("insert into ledger values (?, ?)", fixture.account, id);
        return new OwnerRef(KIND, id);
    }

    static List<Map<String, Object>> entries(TestDatabase database) {
        return database.rows("select work_id, event, state from ledger_entry order by serial");
    }

    @Override
    public String kind() {
        return KIND;
    }

    @Override
    public Set<UUID> lock(Tx tx, UUID accountId, List<UUID> ownerIds) throws SQLException {
        var locked = new HashSet<UUID>();
        for (UUID id : ownerIds) {
            if (lock(tx, id, " skip locked")) {
                locked.add(id);
            } else {
                passedOver.merge(id, 1, Integer::sum);
            }
        }
        return locked;
    }

    /// As an engine locks its own row before it changes it and its items.
    static void lockOwn(Tx tx, OwnerRef owner) throws SQLException {
        lock(tx, owner.id(), "");
    }

    private static boolean lock(Tx tx, UUID id, String how) throws SQLException {
        try (var lock =
                        tx.connection()
                                .prepareStatement(
                                        "select id from ledger where id = ? for update" + how);
                var found = lockedBy(lock, id)) {
            return found.next();
        }
    }

    private static ResultSet lockedBy(PreparedStatement lock, UUID id) throws SQLException {
        lock.setObject(1, id);
        return lock.executeQuery();
    }

    /// What an engine does to all items of an owner.
    interface Bulk {
        OwnedItems.Done run(OwnedItems items, Tx tx, UUID account, OwnerRef owner, int most)
                throws SQLException;
    }

    /// As an engine pauses, resumes or cancels: so many at a time, each batch under the owner's
    /// lock; how many items were changed.
    static int all(Kernel kernel, UUID account, OwnerRef owner, Bulk verb, int most) {
        int changed = 0;
        OwnedItems.Done done;
        do {
            done =
                    kernel.database()
                            .retried(
                                    tx -> {
                                        lockOwn(tx, owner);
                                        return verb.run(
                                                kernel.verbs().owned(), tx, account, owner, most);
                                    });
            changed += done.changed();
        } while (done.more());
        return changed;
    }

    /// How often it was found busy.
    int passedOver(OwnerRef owner) {
        return passedOver.getOrDefault(owner.id(), 0);
    }

    @Override
    public void started(Tx tx, UUID accountId, List<WorkItem> items) {
        items.forEach(item -> started.add(item.id()));
    }

    @Override
    public WorkError judge(Tx tx, WorkItem item, Command.Complete said) {
        return rejection;
    }

    @Override
    public void ended(Tx tx, WorkVerbs verbs, WorkEnd end) throws SQLException {
        ends.add(end);
        OwnerRef owner = end.item().owner();
        try (var insert =
                tx.connection()
                        .prepareStatement(
                                "insert into ledger_entry (owner_id, work_id, event, state)"
                                        + " values (?, ?, ?, ?)")) {
            insert.setObject(1, owner.id());
            insert.setObject(2, end.item().id());
            insert.setString(3, end.event().word());
            insert.setString(4, end.item().state().word());
            insert.executeUpdate();
        }
        if (followUp) {
            NewWork next =
                    NewWork.of(end.item().accountId(), Profiles.STEPS, "next", "{}").ownedBy(owner);
            verbs.submit(tx, end.item().accountId(), List.of(Submission.of(next)));
        }
        if (failing) {
            throw new IllegalStateException("the owner cannot go on");
        }
    }
}
