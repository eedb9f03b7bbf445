package io.orchestrion.kernel.totals;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sequence.Sequencer;
import io.orchestrion.kernel.sweep.Sweeper;
import io.orchestrion.kernel.totals.TotalsSql.Counted;
import io.orchestrion.kernel.totals.TotalsSql.Fold;
import io.orchestrion.kernel.totals.TotalsSql.Log;
import io.orchestrion.kernel.totals.TotalsSql.Reached;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/// Counts the event log. A count and the place it has reached are one transaction, so that a crash
/// neither loses nor repeats anything, and the place is locked, so that any node may do it. It
/// costs the verbs nothing: a log that somebody wrote to is noted in memory, and after a crash the
/// logs that are behind are found by looking at each (decision 106).
public final class Totals implements Sweeper {
    /// The bounds of the histograms: from this on a duration belongs to the next bucket.
    public static final List<Long> BOUNDS_MS =
            List.of(
                    5L,
                    10L,
                    25L,
                    50L,
                    100L,
                    250L,
                    500L,
                    1_000L,
                    2_500L,
                    5_000L,
                    10_000L,
                    30_000L,
                    60_000L,
                    120_000L,
                    300_000L,
                    600_000L,
                    1_800_000L,
                    3_600_000L);

    private static final int LOGS_AT_ONCE = 200;
    private static final int CHUNKS_OF_A_LOG = 2_000;
    private static final int ACCOUNTS_AT_ONCE = 200;
    private static final int NOTED_AT_MOST = 100_000;

    /// Reading the totals brings them up to date. Without readers, this is often enough.
    private static final Duration PACE = Duration.ofSeconds(5);
    private static final Duration REST = Duration.ofMillis(10);
    private static final UUID FIRST = new UUID(0, 0);

    private final Database database;
    private final Sequencer sequencer;
    private final List<String> queues;
    private final Set<Log> noted = ConcurrentHashMap.newKeySet();
    private UUID lookedUpTo = FIRST;
    private boolean lookedAtAll;

    /// @param queues all there are
    public Totals(Database database, Sequencer sequencer, List<String> queues) {
        this.database = database;
        this.sequencer = sequencer;
        this.queues = List.copyOf(queues);
    }

    /// Something was written to the log, here or on another node.
    public void told(UUID account, String queue) {
        if (noted.size() < NOTED_AT_MOST) {
            noted.add(new Log(account, queue));
        }
    }

    @Override
    public String name() {
        return "totals";
    }

    @Override
    public int fullPass() {
        return CHUNKS_OF_A_LOG;
    }

    @Override
    public Duration pace(Duration usual) {
        return usual.compareTo(PACE) > 0 ? usual : PACE;
    }

    @Override
    public synchronized int runOnce() {
        look();
        return count(noted.stream().limit(LOGS_AT_ONCE).toList()).counted();
    }

    /// The counts of all nodes. What was committed until now is counted first, for the given time
    /// at most. After that the totals are a little behind: another node may keep a log's lock for
    /// long.
    public List<Total> read(Duration countingAtMost) {
        long until = System.nanoTime() + countingAtMost.toNanos();
        synchronized (this) {
            while (!lookedAtAll && System.nanoTime() < until) {
                look();
            }
            List<Log> left = countAll(List.copyOf(noted), until);
            while (!left.isEmpty() && System.nanoTime() < until) {
                pause();
                left = countAll(left, until);
            }
        }
        return database.transaction(TotalsSql::read);
    }

    /// Counts these logs to their ends; returns those that another node works on.
    private List<Log> countAll(List<Log> logs, long untilNanos) {
        var busy = new ArrayList<Log>();
        for (int from = 0; from < logs.size(); from += LOGS_AT_ONCE) {
            List<Log> some = logs.subList(from, Math.min(logs.size(), from + LOGS_AT_ONCE));
            Pass pass = count(some);
            while (pass.counted() >= CHUNKS_OF_A_LOG && System.nanoTime() < untilNanos) {
                pass = count(some);
            }
            busy.addAll(pass.busy());
        }
        return busy;
    }

    private static void pause() {
        try {
            Thread.sleep(REST);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// Notes which of the next accounts have something that is not counted; from the first again
    /// after the last.
    private void look() {
        List<UUID> accounts =
                database.transaction(
                        tx -> TotalsSql.accountsAfter(tx, lookedUpTo, ACCOUNTS_AT_ONCE));
        if (!accounts.isEmpty()) {
            noted.addAll(
                    PerAccount.list(
                            database,
                            accounts,
                            account -> account,
                            (tx, one, some) -> TotalsSql.logsBehind(tx, one, some, queues)));
        }
        boolean last = accounts.size() < ACCOUNTS_AT_ONCE;
        lookedAtAll |= last;
        lookedUpTo = last ? FIRST : accounts.getLast();
    }

    /// The outcome of one look at some logs.
    ///
    /// @param counted how many events
    /// @param busy logs that are not counted up to now, because another node works on them or
    ///     because they have more than one pass takes
    private record Pass(int counted, Set<Log> busy) {}

    private Pass count(List<Log> logs) {
        if (logs.isEmpty()) {
            return new Pass(0, Set.of());
        }
        // Before the look at them: what is written after it is noted again.
        logs.forEach(noted::remove);
        try {
            Set<UUID> unplaced = sequencer.placeAll(logs.stream().map(Log::accountId).toList());
            List<Pass> passes =
                    PerAccount.list(
                            database,
                            logs,
                            Log::accountId,
                            (tx, one, some) -> List.of(count(tx, one, some)));
            var busy = new HashSet<Log>();
            passes.forEach(pass -> busy.addAll(pass.busy()));
            logs.stream().filter(log -> unplaced.contains(log.accountId())).forEach(busy::add);
            return new Pass(passes.stream().mapToInt(Pass::counted).sum(), busy);
        } catch (RuntimeException e) {
            noted.addAll(logs);
            throw e;
        }
    }

    private Pass count(Tx tx, @Nullable UUID one, List<Log> logs) throws SQLException {
        TotalsSql.beginFolds(tx, one, logs);
        List<Fold> folds = TotalsSql.lockFolds(tx, one, logs);
        var left = new HashSet<>(logs);
        var busy = new HashSet<>(logs);
        int counted = 0;
        if (!folds.isEmpty()) {
            Counted found = TotalsSql.count(tx, one, folds, CHUNKS_OF_A_LOG);
            var moved = new ArrayList<Fold>();
            for (Reached reached : found.reached()) {
                busy.remove(reached.fold().log());
                if (!reached.more()) {
                    left.remove(reached.fold().log());
                }
                if (!folds.contains(reached.fold())) {
                    moved.add(reached.fold());
                }
            }
            if (!moved.isEmpty()) {
                TotalsSql.add(tx, found.sums());
                TotalsSql.move(tx, one, moved);
            }
            counted = (int) found.sums().stream().mapToLong(Total::count).sum();
        }
        tx.afterCommit(() -> noted.addAll(left));
        return new Pass(counted, busy);
    }
}
