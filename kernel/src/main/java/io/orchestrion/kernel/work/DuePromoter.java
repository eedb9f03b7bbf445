package io.orchestrion.kernel.work;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.util.List;

/// Makes ready what has become due. Claims do the same for what they want, so this is for waking
/// those who wait and for items that nobody asks for.
public final class DuePromoter implements Sweeper {
    private static final int QUEUES = 200;
    private static final int BATCH = 500;

    private final Database database;
    private final WorkVerbs verbs;

    public DuePromoter(Database database, WorkVerbs verbs) {
        this.database = database;
        this.verbs = verbs;
    }

    @Override
    public String name() {
        return "due-promoter";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<SweepSql.DueQueue> due =
                database.transaction(tx -> SweepSql.queuesWithDueWork(tx, QUEUES));
        return Sweeps.each(name(), due, this::promote);
    }

    private int promote(SweepSql.DueQueue due) {
        return database.transaction(
                tx ->
                        verbs.promoteDue(
                                tx, due.accountId(), due.queue(), List.of(due.kind()), BATCH));
    }
}
