package io.orchestrion.jobs;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.sweep.Sweeps;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// Tries failed jobs again that ask for it, in the way in which a client would: with the same
/// limit, the same backoff and the same room in the queue. Where there is no room, later.
final class AutoRetrier implements Sweeper {
    static final String NAME = "job-retrier";
    private static final int ACCOUNTS = 200;
    private static final int BATCH = 200;
    private static final Duration PACE = Duration.ofMillis(250);
    private static final long NO_ROOM_WAIT_MS = 1_000;

    private final Database database;
    private final Jobs jobs;

    AutoRetrier(Database database, Jobs jobs) {
        this.database = database;
        this.jobs = jobs;
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
    public Duration pace(Duration usual) {
        return usual.compareTo(PACE) < 0 ? usual : PACE;
    }

    @Override
    public int runOnce() {
        List<UUID> accounts =
                database.transaction(tx -> ReportSql.accountsWithRetries(tx, ACCOUNTS));
        return Sweeps.each(NAME, accounts, this::retry);
    }

    private int retry(UUID account) {
        List<UUID> wanted = database.transaction(tx -> ReportSql.wantedRetries(tx, account, BATCH));
        return Sweeps.each(NAME, wanted, id -> retry(account, id));
    }

    /// Another node may have done it meanwhile: then there is nothing left to do but to forget it.
    private int retry(UUID account, UUID id) {
        return switch (jobs.retry(account, id)) {
            case JobAck.Done _ -> 1;
            case JobAck.QueueFull _, JobAck.Raced _ -> {
                database.transaction(
                        tx ->
                                ReportSql.retryLater(
                                        tx, account, id, tx.nowMillis() + NO_ROOM_WAIT_MS));
                yield 0;
            }
            case JobAck.Unchanged _,
                    JobAck.NotFound _,
                    JobAck.Foreign _,
                    JobAck.RetriesUsedUp _,
                    JobAck.NotFinal _ -> {
                database.transaction(
                        tx -> {
                            ReportSql.forgetRetry(tx, account, id);
                            return 0;
                        });
                yield 0;
            }
        };
    }
}
