package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
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

    /// How long a caller waits before it is answered that the database does not answer.
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    /// A transaction that is open for this long is shown: it keeps its locks, and the database
    /// cannot clean up what changed since it began.
    private static final Duration LONG_OPEN = Duration.ofMinutes(1);

    /// Servers like this one are left out: the database ends their transactions itself when they
    /// are idle or take too long.
    private static final String QUESTION =
            """
            select to_regclass('work') is not null as schema, o.*
              from (select) as always
              left join lateral (
                select a.pid, a.application_name, a.state, (? - extract(epoch from a.xact_start))::bigint as seconds,
                       (select count(*) from pg_stat_activity b
                         where b.wait_event_type = 'Lock' and a.pid = any(pg_blocking_pids(b.pid))) as waiting
                  from pg_stat_activity a
                 where a.datname = current_database() and a.backend_type = 'client backend'
                   and a.application_name <> ? and a.xact_start < to_timestamp(?)
                 order by a.xact_start
                 limit 1) o on true
            """;

    /// The oldest of the transactions that somebody has left open.
    ///
    /// @param pid of its session, by which it can be ended
    /// @param application what the session calls itself
    /// @param waiting how many sessions wait for a lock that it has
    public record OpenTransaction(
            int pid, String application, String state, Duration open, int waiting) {}

    /// @param schema whether our tables are there
    /// @param roundTrip of one small question, null when it was not answered
    /// @param oldest null when no transaction is open for long
    /// @param age how long ago the database was asked
    public record Reading(
            boolean reachable,
            boolean schema,
            @Nullable Duration roundTrip,
            @Nullable OpenTransaction oldest,
            Duration age) {}

    private record Taken(
            boolean reachable,
            boolean schema,
            @Nullable Duration roundTrip,
            @Nullable OpenTransaction oldest,
            long atNanos) {}

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
                taken.oldest(),
                Duration.ofNanos(Math.max(0, nanos.getAsLong() - taken.atNanos())));
    }

    private Taken unanswered() {
        return new Taken(false, false, null, null, nanos.getAsLong());
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
        long nowSeconds = tx.nowMillis() / 1000;
        try (PreparedStatement statement = tx.connection().prepareStatement(QUESTION)) {
            statement.setDouble(1, nowSeconds);
            statement.setString(2, Database.APPLICATION);
            statement.setDouble(3, nowSeconds - LONG_OPEN.toSeconds());
            try (ResultSet rows = statement.executeQuery()) {
                rows.next();
                return new Taken(
                        true,
                        rows.getBoolean("schema"),
                        Duration.ofNanos(System.nanoTime() - began),
                        rows.getObject("pid") == null ? null : openTransaction(rows),
                        nanos.getAsLong());
            }
        }
    }

    private static OpenTransaction openTransaction(ResultSet row) throws SQLException {
        String state = row.getString("state");
        return new OpenTransaction(
                row.getInt("pid"),
                row.getString("application_name"),
                state == null ? "unknown" : state,
                Duration.ofSeconds(row.getLong("seconds")),
                row.getInt("waiting"));
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
