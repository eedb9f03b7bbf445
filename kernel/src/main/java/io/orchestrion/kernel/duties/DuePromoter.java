package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.SweepSql;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.Profile;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.WorkItem;

import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/// Makes due items ready, and ends timers. Claims promote the kinds that they want themselves. So
/// the promoter is for waking claims that wait, and for items that nobody asks for.
public final class DuePromoter implements Sweeper {
    private static final int QUEUES = 200;
    private static final int BATCH = 500;
    private static final Set<String> TIMER_QUEUES =
            Profiles.ALL.stream()
                    .filter(Profile::endsWhenDue)
                    .map(Profile::queue)
                    .collect(Collectors.toUnmodifiableSet());

    private final Database database;
    private final WorkVerbs verbs;
    private final TimedEnds timers;

    public DuePromoter(Database database, WorkVerbs verbs, NanoTicker ticker) {
        this.database = database;
        this.verbs = verbs;
        this.timers = new TimedEnds(database, verbs, ticker, new Command.Expire(), WorkItem::due);
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
        if (TIMER_QUEUES.contains(due.queue())) {
            return timers.end(
                    due.accountId(), (tx, without, most) -> TimerSql.due(tx, due, without, most));
        }
        return database.transaction(
                tx ->
                        verbs.promoteDue(
                                tx, due.accountId(), due.queue(), List.of(due.kind()), BATCH));
    }
}
