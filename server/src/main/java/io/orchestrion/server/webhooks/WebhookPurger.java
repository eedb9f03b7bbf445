package io.orchestrion.server.webhooks;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;
import io.orchestrion.kernel.verbs.WorkVerbs;
import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.Profiles;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Removes what nobody needs any more: deliveries of items that are gone, wherever they stand, and
/// receivers without any. Deliveries that are old go as all work does.
final class WebhookPurger implements Sweeper {
    static final String NAME = "webhook-purger";
    private static final int ACCOUNTS = 50;
    private static final int BATCH = 200;

    /// After which a receiver without deliveries is forgotten.
    private static final Duration IDLE = Duration.ofDays(1);

    private final Database database;
    private final WorkVerbs verbs;

    WebhookPurger(Kernel kernel) {
        this.database = kernel.database();
        this.verbs = kernel.verbs();
    }

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public int fullPass() {
        return BATCH;
    }

    @Override
    public int runOnce() {
        List<UUID> withOrphans =
                database.transaction(tx -> DeliverySql.accountsWithOrphans(tx, ACCOUNTS));
        int removed =
                Sweeps.each(
                        NAME,
                        withOrphans,
                        account -> database.transaction(tx -> orphans(tx, account)));
        List<UUID> idle =
                database.transaction(
                        tx -> EndpointSql.accountsToPurge(tx, idleSince(tx), ACCOUNTS));
        return removed
                + Sweeps.each(
                        NAME,
                        idle,
                        account ->
                                database.transaction(
                                        tx -> EndpointSql.purge(tx, account, idleSince(tx))));
    }

    private static long idleSince(Tx tx) {
        return tx.nowMillis() - IDLE.toMillis();
    }

    private int orphans(Tx tx, UUID account) throws SQLException {
        List<UUID> ids = DeliverySql.orphans(tx, account, BATCH);
        verbs.execute(
                tx,
                account,
                ids.stream()
                        .map(
                                id ->
                                        new CommandRequest(
                                                account,
                                                Profiles.DELIVERIES,
                                                id,
                                                new Command.Cancel(),
                                                false))
                        .toList());
        verbs.remove(tx, account, Profiles.DELIVERIES, ids);
        // Those whose item was purged before have no item to go with.
        DeliverySql.delete(tx, account, ids);
        return ids.size();
    }
}
