package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.verbs.SweepSql;
import io.orchestrion.kernel.wake.Waiters;

import java.time.Duration;
import java.util.List;

/// Finds work for waiting claims without a hint: one statement for all that claims of this node
/// wait for, however many wait, and none when nobody does. It may also find due items before the
/// promoter does.
public final class WaiterPoll implements Sweeper {
    /// A waiting claimer is to be answered within a second, however rarely the rest is swept.
    private static final Duration EVERY_AT_MOST = Duration.ofMillis(500);

    private static final int LINES = 1000;
    private static final int WOKEN_AT_MOST = 100;

    private final Database database;
    private final Waiters waiters;

    public WaiterPoll(Database database, Waiters waiters) {
        this.database = database;
        this.waiters = waiters;
    }

    @Override
    public String name() {
        return "waiter-poll";
    }

    @Override
    public Duration pace(Duration usual) {
        return usual.compareTo(EVERY_AT_MOST) < 0 ? usual : EVERY_AT_MOST;
    }

    @Override
    public int runOnce() {
        List<Waiters.Key> lines = waiters.keys();
        for (int from = 0; from < lines.size(); from += LINES) {
            List<Waiters.Key> some = lines.subList(from, Math.min(lines.size(), from + LINES));
            PerAccount.list(
                            database,
                            some,
                            Waiters.Key::accountId,
                            (tx, one, mine) -> SweepSql.claimable(tx, one, mine, WOKEN_AT_MOST))
                    .forEach(found -> waiters.wake(found.line(), found.ready()));
        }
        return 0;
    }

    @Override
    public int fullPass() {
        return Integer.MAX_VALUE;
    }
}
