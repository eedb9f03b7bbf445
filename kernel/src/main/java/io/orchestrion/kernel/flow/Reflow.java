package io.orchestrion.kernel.flow;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;

/// After a type's limit was switched on or off, moves its ready rows to where claims now look for
/// them, and then lets claims go on. A transaction that had not seen the change may still make a
/// row in the old place. The sweep finds it later, because claims of a busy type never would.
public final class Reflow implements Sweeper {
    private static final int TYPES = 100;
    private static final int RINGS = 500;
    private static final int BATCH = 500;

    /// After so many batches of one type, the others have their turn.
    private static final int ROUNDS = 20;

    /// Told after a commit that items of a type may be claimed.
    @FunctionalInterface
    public interface Wake {
        void ready(UUID accountId, String queue, String kind, int count);
    }

    private final Database database;
    private final Wake wake;
    private final AtomicReference<FlowSql.@Nullable Type> lookedAt = new AtomicReference<>();

    public Reflow(Database database, Wake wake) {
        this.database = database;
        this.wake = wake;
    }

    @Override
    public String name() {
        return "reflow";
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<FlowSql.Type> switched = database.transaction(tx -> FlowSql.typesToReflow(tx, TYPES));
        int settled = Sweeps.each(name(), switched, this::settleAll);
        List<FlowSql.Type> rings =
                database.transaction(tx -> FlowSql.ringsAfter(tx, lookedAt.get(), RINGS));
        lookedAt.set(rings.size() < RINGS ? null : rings.getLast());
        return settled + (rings.isEmpty() ? 0 : Sweeps.each(name(), strays(rings), this::settle));
    }

    private List<FlowSql.Type> strays(List<FlowSql.Type> rings) {
        return PerAccount.list(database, rings, FlowSql.Type::accountId, FlowSql::strays);
    }

    /// The same within a claim, so that it need not wait for the sweep where there is little to do.
    /// Returns how many claims may look again; none while there is more to do.
    public static int settleFew(Tx tx, UUID account, String queue, String kind, boolean flow)
            throws SQLException {
        var type = new FlowSql.Type(account, queue, kind, flow);
        int moved = FlowSql.settle(tx, type, BATCH);
        return moved < BATCH && end(tx, type) ? moved : 0;
    }

    private int settleAll(FlowSql.Type type) {
        int settled = 0;
        for (int i = 0; i < ROUNDS; i++) {
            int moved = settle(type);
            settled += moved;
            if (moved < BATCH) {
                if (database.transaction(tx -> end(tx, type))) {
                    wake(type, BATCH);
                }
                return settled;
            }
        }
        return settled;
    }

    private int settle(FlowSql.Type type) {
        return database.transaction(
                tx -> {
                    int moved = FlowSql.settle(tx, type, BATCH);
                    if (moved > 0) {
                        tx.afterCommit(() -> wake(type, moved));
                    }
                    return moved;
                });
    }

    /// The ring is made here, even for a type that nobody claims. The rings lead to the rows of
    /// types without a limit that still have keys.
    private static boolean end(Tx tx, FlowSql.Type type) throws SQLException {
        FlowSql.makeRings(tx, type.accountId(), type.queue(), List.of(type.kind()));
        return FlowSql.endReflow(tx, type) > 0;
    }

    private void wake(FlowSql.Type type, int count) {
        wake.ready(type.accountId(), type.queue(), type.kind(), count);
    }
}
