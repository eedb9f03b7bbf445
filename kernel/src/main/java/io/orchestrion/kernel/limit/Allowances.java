package io.orchestrion.kernel.limit;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;

/// Takes from sliding windows that all nodes share, exactly: of a window of N the first N are
/// granted and the next is refused, wherever they came in. The asks of many requests go to the
/// database as one statement, on a connection that is the lane's own.
///
/// The lane waits for no window. Who asks for one that another session holds comes back a moment
/// later, and meanwhile nobody waits behind it (decision 148).
public final class Allowances implements AutoCloseable {
    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 32_000_000;

    private record Full(Window window, int max) {}

    private final Database database;
    private final NanoTicker ticker;
    private final Combiner<List<Ask>, Taken> lane;
    private final Semaphore roomForOthers;
    private final Latencies latencies = new Latencies();

    /// A full window stays full until its wait is over, whoever asks: those who ask all the same
    /// cost the database nothing.
    private final Map<Full, Long> fullUntilNanos = new BoundedMap<>();

    public Allowances(Database database, Combiner.Lane cut, NanoTicker ticker) {
        this.database = database;
        this.ticker = ticker;
        this.lane = Combiner.ofLoneStatements(cut, database, this::takeAll);
        // The other half is for holders alone.
        this.roomForOthers = new Semaphore(Math.max(1, cut.bound() / 2));
    }

    /// Takes all that is asked for or nothing, in one round trip at the most.
    ///
    /// @param holder whether it is for what the holder of a lease says, which finds room in the
    ///     lane however many others wait there
    public Taken take(List<Ask> asks, boolean holder) {
        Taken known = knownFull(asks);
        if (known != null) {
            return known;
        }
        long began = System.nanoTime();
        Taken taken = holder ? decided(asks) : amongOthers(asks);
        latencies.add(System.nanoTime() - began);
        Ask full = taken.refusedBy();
        // Too little for many may still be enough for one.
        if (full != null && full.amount() <= 1) {
            synchronized (fullUntilNanos) {
                fullUntilNanos.put(
                        new Full(full.window(), full.max()),
                        ticker.nanos() + taken.waitMs() * 1_000_000);
            }
        }
        return taken;
    }

    private Taken amongOthers(List<Ask> asks) {
        if (!roomForOthers.tryAcquire()) {
            throw new StoreException(Kind.OVERLOADED, "too many requests wait to be counted");
        }
        try {
            return decided(asks);
        } finally {
            roomForOthers.release();
        }
    }

    private Taken decided(List<Ask> asks) {
        Taken taken = lane.call(asks);
        long until = System.nanoTime() + database.options().lockTimeout().toNanos();
        long pause = FIRST_PAUSE_NANOS;
        while (taken == Taken.HELD) {
            if (System.nanoTime() - until > 0) {
                throw new StoreException(
                        Kind.OVERLOADED, "another session holds the counters of this request");
            }
            Deadline.check();
            pause(pause);
            pause = Math.min(2 * pause, LONGEST_PAUSE_NANOS);
            taken = lane.call(asks);
        }
        return taken;
    }

    private static void pause(long nanos) {
        try {
            Thread.sleep(Duration.ofNanos(ThreadLocalRandom.current().nextLong(nanos / 2, nanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.OVERLOADED, "interrupted", e, "");
        }
    }

    /// What counting costs the requests that are counted.
    public Latencies latencies() {
        return latencies;
    }

    private List<Taken> takeAll(Tx tx, List<List<Ask>> requests) throws SQLException {
        return LimitSql.takeOrPass(tx, database.clock().aheadMillis(), requests);
    }

    private @Nullable Taken knownFull(List<Ask> asks) {
        synchronized (fullUntilNanos) {
            for (Ask ask : asks) {
                var full = new Full(ask.window(), ask.max());
                Long until = fullUntilNanos.get(full);
                long leftNanos = until == null ? 0 : until - ticker.nanos();
                if (leftNanos > 0) {
                    List<Integer> used =
                            asks.stream().map(each -> each == ask ? ask.max() : 0).toList();
                    return new Taken(used, ask, leftNanos / 1_000_000 + 1);
                }
                fullUntilNanos.remove(full);
            }
            return null;
        }
    }

    /// Looks at a window within a transaction, and holds it until the end of that. The one answer
    /// is there once the next statement of the transaction was answered: both are one round trip.
    public List<Taken> lookLater(Tx tx, Window window, int max) {
        return LimitSql.takeLater(tx, new Ask(window, 0, max));
    }

    /// Takes within a transaction from a window that it holds and that has room.
    public void takeHeld(Tx tx, Ask ask) {
        LimitSql.takeUnread(tx, ask);
    }

    /// How much of each window of an account is used, without taking and without waiting.
    public List<Integer> used(UUID account, List<Window> windows) {
        return database.transaction(tx -> LimitSql.used(tx, account, windows));
    }

    /// Removes windows in which nothing is left; returns how many.
    public int purgeIdle(Tx tx, int most) throws SQLException {
        return LimitSql.purgeIdle(tx, most);
    }

    @Override
    public void close() {
        lane.close();
    }
}
