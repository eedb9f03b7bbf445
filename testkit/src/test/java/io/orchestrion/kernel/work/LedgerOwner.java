package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.testkit.TestDatabase;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;

/// An engine as small as can be: a row for each owner, locked before its items, and a row for each
/// end of one of them. It can be told to fail, or to hand in follow-up work.
public final class LedgerOwner implements WorkOwner {
    static final String KIND = "ledger";

    volatile boolean failing;
    volatile boolean followUp;

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
    public void lock(Tx tx, UUID accountId, List<UUID> ownerIds) throws SQLException {
        for (UUID id : ownerIds) {
            try (var lock =
                    tx.connection()
                            .prepareStatement("select id from ledger where id = ? for update")) {
                lock.setObject(1, id);
                lock.executeQuery().close();
            }
        }
    }

    @Override
    public void ended(Tx tx, WorkVerbs verbs, Step step) throws SQLException {
        OwnerRef owner = step.after().owner();
        try (var insert =
                tx.connection()
                        .prepareStatement(
                                "insert into ledger_entry (owner_id, work_id, event, state)"
                                        + " values (?, ?, ?, ?)")) {
            insert.setObject(1, owner.id());
            insert.setObject(2, step.after().id());
            insert.setString(3, step.event().word());
            insert.setString(4, step.after().state().word());
            insert.executeUpdate();
        }
        if (followUp) {
            NewWork next =
                    new NewWork(
                            step.after().accountId(),
                            Profiles.STEPS,
                            "tasks",
                            "next",
                            "{}",
                            0,
                            null,
                            null,
                            1,
                            60,
                            null,
                            owner,
                            Terms.NONE);
            verbs.submit(tx, step.after().accountId(), List.of(Submission.of(next)));
        }
        if (failing) {
            throw new IllegalStateException("the owner cannot go on");
        }
    }
}
