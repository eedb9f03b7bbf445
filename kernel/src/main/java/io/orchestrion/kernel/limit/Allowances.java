package io.orchestrion.kernel.limit;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.combine.Returning;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.Semaphore;

/// Takes from sliding windows that all nodes share. The count is exact: of a window of N the first
/// N requests are granted and the next is refused, whichever nodes they came to. Many requests are
/// counted by one statement, on the lane's own connection.
///
/// The lane waits for no window. If another session holds the window of a request, the caller's
/// thread sends the request again a moment later, and meanwhile no other waits behind it (decision
/// 148).
public final class Allowances implements AutoCloseable {
    private record Full(Window window, int max) {}

    private final Database database;
    private final NanoTicker ticker;
    private final Combiner<List<Ask>, Taken> lane;
    private final Semaphore roomForOthers;
    private final Latencies latencies = new Latencies();

    /// A full window stays full until its wait is over. Requests for it are refused until then
    /// without asking the database.
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
        var returning =
                new Returning(database.options().lockTimeout(), "the counters of this request");
        while (taken == Taken.HELD) {
            returning.pause();
            taken = lane.call(asks);
        }
        return taken;
    }

    /// How long requests waited to be counted.
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

    /// A look at a window within a transaction, which holds it until the end of that. What it saw
    /// is there once the next statement of the transaction was answered: both are one round trip.
    public static final class Look {
        private final Tx tx;
        private final Window window;
        private final int max;
        private @Nullable Integer used;

        private Look(Tx tx, Window window, int max) {
            this.tx = tx;
            this.window = window;
            this.max = max;
            LimitSql.lookLater(tx, window, seen -> used = seen);
        }

        /// Whether there was a window to hold. Where there was none, only [#seen] makes it and
        /// holds it, and what the transaction read before that may have changed.
        public boolean held() {
            return used != null;
        }

        /// What was seen. A window that is full, or that does not exist yet, takes one more round
        /// trip.
        public Taken seen() throws SQLException {
            Integer known = used;
            return known == null || known >= max
                    ? LimitSql.look(tx, window, max)
                    : new Taken(List.of(known), null, 0);
        }
    }

    public Look lookLater(Tx tx, Window window, int max) {
        return new Look(tx, window, max);
    }

    /// Takes within a transaction from a window that it has looked at and that has room.
    public void takeHeld(Tx tx, Window window, int amount) {
        LimitSql.takeHeld(tx, window, amount);
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
