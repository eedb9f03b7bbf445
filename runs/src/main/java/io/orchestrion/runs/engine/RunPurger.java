package io.orchestrion.runs.engine;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.events.SubjectLog.Uncounted;
import io.orchestrion.kernel.sweep.AccountPurger;
import io.orchestrion.kernel.work.WorkItem.OwnerRef;
import io.orchestrion.runs.credit.CreditSubjects;
import io.orchestrion.runs.fault.Commit;
import io.orchestrion.runs.run.RunListener;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// Removes runs that ended longer ago than they are kept, with all that belongs to them but the
/// ledger. A large one goes in several transactions, its own row last, so that what is left is
/// found again.
final class RunPurger extends AccountPurger {
    static final String NAME = "run-purger";
    private static final int RUNS = 50;

    private final Engine engine;
    private final Duration kept;

    RunPurger(Engine engine, Duration kept) {
        super(NAME, engine.kernel().database());
        this.engine = engine;
        this.kept = kept;
    }

    private long before(Tx tx) {
        return tx.nowMillis() - kept.toMillis();
    }

    @Override
    protected List<UUID> accounts(Tx tx, int most) throws SQLException {
        return RetentionSql.accounts(tx, before(tx), most);
    }

    @Override
    protected int purge(Tx tx, UUID account, int most) throws SQLException {
        Commit.PURGE.in(tx);
        RetentionSql.letGo(tx);
        int removed = 0;
        for (RetentionSql.Old run : RetentionSql.lockOld(tx, account, before(tx), RUNS)) {
            removed += remove(tx, account, run, most - removed);
            if (removed >= most) {
                return most;
            }
        }
        return removed;
    }

    /// How many rows went: as many as it may take where there is more.
    private int remove(Tx tx, UUID account, RetentionSql.Old old, int most) throws SQLException {
        UUID run = old.id();
        var items =
                engine.kernel()
                        .verbs()
                        .owned()
                        .remove(tx, account, new OwnerRef(Turn.OWNER, run), most);
        int removed = items.changed();
        if (items.more() || removed >= most) {
            return most;
        }
        for (RunListener listener : engine.listeners()) {
            removed += listener.remove(tx, account, run, most - removed);
            if (removed >= most) {
                return most;
            }
        }
        for (RetentionSql.Part part : RetentionSql.Part.values()) {
            List<UUID> gone = RetentionSql.remove(tx, part, account, run, most - removed);
            engine.kernel().subjects().remove(tx, account, gone);
            removed += gone.size();
            if (removed >= most) {
                return most;
            }
        }
        var last = new ArrayList<UUID>(RetentionSql.removeTickets(tx, account, run));
        last.addAll(RetentionSql.removeAgents(tx, account, run));
        last.addAll(CreditSubjects.ofRun(run, old.attempt()));
        last.add(run);
        engine.kernel().subjects().remove(tx, account, last);
        RetentionSql.removeRun(tx, account, run);
        if (!old.deleted()) {
            // The counts by status are of those that there are.
            engine.kernel()
                    .subjects()
                    .uncount(
                            tx,
                            account,
                            List.of(new Uncounted(Subjects.RUN.word(), "", old.status().word())));
        }
        return removed + last.size();
    }
}
