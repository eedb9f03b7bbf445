package io.orchestrion.kernel.duties;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.SweepSql;
import io.orchestrion.kernel.verbs.WorkVerbs;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// Ends leases that ran out, account by account. One account's trouble keeps no other waiting.
public final class LeaseReaper implements Sweeper {
    private static final Logger log = LoggerFactory.getLogger(LeaseReaper.class);
    private static final int ACCOUNTS = 200;
    private static final int BATCH = 200;

    /// After so many batches of one account, the others have their turn.
    private static final int ROUNDS = 50;

    /// When an item that could not be expired is tried again.
    private static final long BAD_ITEM_WAIT_MS = 10_000;

    private final Database database;
    private final WorkVerbs verbs;

    public LeaseReaper(Database database, WorkVerbs verbs) {
        this.database = database;
        this.verbs = verbs;
    }

    @Override
    public String name() {
        return "lease-reaper";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> SweepSql.accountsWithLapsedLeases(tx, ACCOUNTS));
        return Sweeps.each(name(), accounts, this::reap);
    }

    private record Round(int candidates, int ended) {}

    /// A candidate whose lease was renewed is not ended. Many of those fill whole batches, and the
    /// expired leases behind them must not wait for the next pass.
    private int reap(UUID account) {
        int ended = 0;
        try {
            for (int i = 0; i < ROUNDS; i++) {
                Round round = database.transaction(tx -> round(tx, account));
                ended += round.ended();
                if (round.candidates() < BATCH) {
                    break;
                }
            }
            return ended;
        } catch (RuntimeException e) {
            if (StoreException.ofWholeStore(e)) {
                throw e;
            }
            log.warn("leases of account {} could not be swept together", account, e);
            return ended + reapOneByOne(account);
        }
    }

    private Round round(Tx tx, UUID account) throws SQLException {
        List<UUID> candidates = SweepSql.lapsedLeases(tx, account, BATCH);
        return new Round(candidates.size(), verbs.expire(tx, account, candidates));
    }

    /// An item whose lease cannot be ended must not stop the others. It is looked at again later,
    /// after them.
    private int reapOneByOne(UUID account) {
        List<UUID> candidates =
                database.transaction(tx -> SweepSql.lapsedLeases(tx, account, BATCH));
        int ended = 0;
        for (UUID id : candidates) {
            try {
                ended += database.transaction(tx -> verbs.expire(tx, account, List.of(id)));
            } catch (RuntimeException e) {
                if (StoreException.ofWholeStore(e)) {
                    throw e;
                }
                log.error("the lease of item {} cannot be ended", id, e);
                database.transaction(
                        tx ->
                                SweepSql.lookAgainAt(
                                        tx,
                                        account,
                                        List.of(id),
                                        tx.nowMillis() + BAD_ITEM_WAIT_MS));
            }
        }
        return ended;
    }
}
