package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.LongSupplier;

/// Whether the database answers. However many ask, it is asked at most once a second, by one, on a
/// connection of its own: health checks must not load a database in trouble, and a full pool is no
/// database that is away.
public final class DatabaseProbe implements AutoCloseable {
    private static final Duration FRESH = Duration.ofSeconds(1);

    /// How long a caller waits for an answer before it is told that there is none.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /// @param schema whether our tables are there
    /// @param roundTrip of one small question, null when it was not answered
    /// @param age how long ago it was asked
    public record Reading(
            boolean reachable, boolean schema, @Nullable Duration roundTrip, Duration age) {}

    private record Taken(
            boolean reachable, boolean schema, @Nullable Duration roundTrip, long atNanos) {}

    private final Session session;
    private final LongSupplier nanos;
    private @Nullable CompletableFuture<Taken> underWay;
    private @Nullable Taken last;
    private boolean closed;

    public DatabaseProbe(Database database, LongSupplier nanos) {
        this.session = database.session("probe");
        this.nanos = nanos;
    }

    public Reading read() {
        CompletableFuture<Taken> asked;
        synchronized (this) {
            Taken known = last;
            if (known != null && nanos.getAsLong() - known.atNanos() < FRESH.toNanos()) {
                return reading(known);
            }
            if (closed) {
                return reading(unanswered());
            }
            if (underWay == null) {
                underWay = new CompletableFuture<>();
                Thread.ofVirtual().name("database-probe").start(this::ask);
            }
            asked = underWay;
        }
        try {
            return reading(asked.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS));
        } catch (TimeoutException | ExecutionException e) {
            return reading(unanswered());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return reading(unanswered());
        }
    }

    private Reading reading(Taken taken) {
        return new Reading(
                taken.reachable(),
                taken.schema(),
                taken.roundTrip(),
                Duration.ofNanos(Math.max(0, nanos.getAsLong() - taken.atNanos())));
    }

    private Taken unanswered() {
        return new Taken(false, false, null, nanos.getAsLong());
    }

    private void ask() {
        Taken taken;
        try {
            taken = session.transaction(this::question);
        } catch (RuntimeException e) {
            taken = unanswered();
        }
        CompletableFuture<Taken> asked;
        synchronized (this) {
            last = taken;
            asked = underWay;
            underWay = null;
            if (closed) {
                session.close();
            }
        }
        if (asked != null) {
            asked.complete(taken);
        }
    }

    private Taken question(Tx tx) throws SQLException {
        long began = System.nanoTime();
        try (Statement statement = tx.connection().createStatement();
                var rows = statement.executeQuery("select to_regclass('work') is not null")) {
            rows.next();
            return new Taken(
                    true,
                    rows.getBoolean(1),
                    Duration.ofNanos(System.nanoTime() - began),
                    nanos.getAsLong());
        }
    }

    /// A question under way ends first and closes the connection itself.
    @Override
    public synchronized void close() {
        closed = true;
        if (underWay == null) {
            session.close();
        }
    }
}
