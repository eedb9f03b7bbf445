package io.orchestrion.kernel.limit;

import io.orchestrion.kernel.combine.Combiner;
import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.memory.BoundedMap;
import io.orchestrion.kernel.sweep.SweepLoop.NanoTicker;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.Map;

/// Takes from sliding windows that all nodes share, exactly: of a window of N the first N are
/// granted and the next is refused, wherever they came in. The asks of many requests go to the
/// database as one statement.
public final class Allowances implements AutoCloseable {
    private record Full(Window window, int max) {}

    private final Database database;
    private final NanoTicker ticker;
    private final Combiner<List<Ask>, Taken> lane;
    private final Latencies latencies = new Latencies();

    /// A full window stays full until its wait is over, whoever asks: those who ask all the same
    /// cost the database nothing.
    private final Map<Full, Long> fullUntilNanos = new BoundedMap<>();

    public Allowances(Database database, Combiner.Lane cut, NanoTicker ticker) {
        this.database = database;
        this.ticker = ticker;
        this.lane = Combiner.ofLoneStatements(cut, database, this::takeAll);
    }

    /// Takes all that is asked for or nothing, in one round trip at the most.
    public Taken take(List<Ask> asks) {
        Taken known = knownFull(asks);
        if (known != null) {
            return known;
        }
        long began = System.nanoTime();
        Taken taken = lane.call(asks);
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

    /// What counting costs the requests that are counted.
    public Latencies latencies() {
        return latencies;
    }

    private List<Taken> takeAll(Tx tx, List<List<Ask>> requests) throws SQLException {
        return LimitSql.take(tx, null, database.clock().aheadMillis(), requests);
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

    /// Takes within a transaction; the window stays locked until its end.
    public Taken take(Tx tx, Ask ask) throws SQLException {
        return LimitSql.take(tx, tx.nowMillis(), 0, List.of(List.of(ask))).getFirst();
    }

    /// How much of each window is used, without taking.
    public List<Integer> used(List<Window> windows) {
        List<List<Ask>> looks =
                windows.stream()
                        .map(window -> List.of(new Ask(window, 0, Integer.MAX_VALUE)))
                        .toList();
        return database.transaction(
                tx ->
                        LimitSql.take(tx, tx.nowMillis(), 0, looks).stream()
                                .map(taken -> taken.used().getFirst())
                                .toList());
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
