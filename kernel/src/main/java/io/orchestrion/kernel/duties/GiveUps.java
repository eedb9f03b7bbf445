package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.WorkItem;

import java.util.List;
import java.util.UUID;

/// Ends items that were not done by the time until which they were wanted, in whatever open state
/// they are.
public final class GiveUps implements Sweeper {
    private static final int ACCOUNTS = 200;
    private static final int FULL_PASS = 100;

    private final Database database;
    private final TimedEnds ends;

    public GiveUps(Database database, WorkVerbs verbs, NanoTicker ticker) {
        this.database = database;
        this.ends = new TimedEnds(database, verbs, ticker, new Command.GiveUp(), WorkItem::overdue);
    }

    @Override
    public String name() {
        return "give-up";
    }

    @Override
    public int fullPass() {
        return FULL_PASS;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> TimerSql.accountsWithOverdueWork(tx, ACCOUNTS));
        return Sweeps.each(name(), accounts, this::giveUp);
    }

    private int giveUp(UUID account) {
        return ends.end(
                account, (tx, without, most) -> TimerSql.overdue(tx, account, without, most));
    }
}
