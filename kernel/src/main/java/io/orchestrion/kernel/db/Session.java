package io.orchestrion.kernel.db;

import io.orchestrion.kernel.fault.Failpoints;

import org.jspecify.annotations.Nullable;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;

/// One connection, used by one thread at a time. It opens with its first use, and again after the
/// connection broke, so that our process survives a restart of the database.
public final class Session implements AutoCloseable {

    /// What runs inside a transaction.
    @FunctionalInterface
    public interface Body<T extends @Nullable Object> {
        T run(Tx tx) throws SQLException;
    }

    private static final String NO_CONNECTION = "08001";

    private final Database database;
    private final String name;
    private final boolean ofLane;
    private final Failpoints failpoints;

    /// The time that the database answered, and when it did.
    private record Told(long nowMillis, long atNanos) {}

    private @Nullable Connection connection;
    private @Nullable Told told;
    private TransactionWatch.@Nullable Open watched;

    /// @param ofLane whether it says the same few statements again and again
    Session(Database database, String name, boolean ofLane, Failpoints failpoints) {
        this.database = database;
        this.name = name;
        this.ofLane = ofLane;
        this.failpoints = failpoints;
    }

    /// Runs the body in one transaction and commits it. When this returns, the commit is durable.
    public <T extends @Nullable Object> T transaction(Body<T> body) {
        boolean committing = false;
        T answer;
        Tx tx = null;
        try {
            tx = begin();
            answer = body.run(tx);
            tx.flushBeforeCommit();
            hit(tx, ".before-commit");
            Deadline.check();
            if (watched != null && watched.isEnded()) {
                throw new SQLException("the connection is being closed");
            }
            committing = true;
            tx.commit();
        } catch (SQLException e) {
            if (leave()) {
                throw endedByWatch(e, committing);
            }
            StoreException translated = SqlStates.translate(e, committing);
            database.failed(translated);
            abandon(tx, translated.kind());
            throw translated;
        } catch (StoreException e) {
            if (leave()) {
                throw endedByWatch(e, committing);
            }
            database.failed(e);
            abandon(tx, e.kind());
            throw e;
        } catch (RuntimeException | Error e) {
            if (leave() && e instanceof RuntimeException) {
                throw endedByWatch(e, committing);
            }
            abandon(tx, StoreException.Kind.REJECTED);
            throw e;
        }
        if (leave()) {
            // A moment late: it is committed, but the connection is of no more use.
            close();
        }
        database.succeeded();
        // The transaction is committed. Nothing that fails from here on may look like a failure of
        // it, because the caller would repeat it.
        try {
            hit(tx, ".after-commit");
        } catch (RuntimeException e) {
            throw new StoreException(
                    StoreException.Kind.OUTCOME_UNKNOWN, String.valueOf(e.getMessage()), e, "");
        }
        tx.committed();
        return answer;
    }

    private void hit(Tx tx, String where) {
        failpoints.hit(name + where);
        for (String each : tx.names()) {
            failpoints.hit(each + where);
        }
    }

    /// Ends the watch of this session's transaction; true when the watch had ended the transaction.
    private boolean leave() {
        TransactionWatch.Open open = watched;
        watched = null;
        return open != null && open.over();
    }

    private StoreException endedByWatch(Throwable cause, boolean committing) {
        close();
        var ended =
                new StoreException(
                        committing
                                ? StoreException.Kind.OUTCOME_UNKNOWN
                                : StoreException.Kind.TIMED_OUT,
                        "the transaction was ended after "
                                + database.options().transactionTimeout(),
                        cause,
                        "");
        database.failed(ended);
        return ended;
    }

    /// Runs one statement that commits by itself: a single round trip, for requests that are too
    /// frequent for three. After a lost connection it is sent again, so running it twice must do no
    /// harm. A crash of the database may lose what it wrote in the last moments, because waiting
    /// for the disk would cost more than that is worth.
    public <T extends @Nullable Object> T loneStatement(Body<T> body) {
        while (true) {
            boolean kept = connection != null;
            try {
                Connection open = openForLoneStatements();
                watched = database.watch().begin(name, open);
                T answer = body.run(new Tx(open, Tx.NO_TIME));
                database.succeeded();
                return answer;
            } catch (SQLException e) {
                if (leave()) {
                    throw endedByWatch(e, true);
                }
                StoreException failure = SqlStates.translate(e, false);
                boolean lost = failure.kind() == StoreException.Kind.UNAVAILABLE;
                if (lost) {
                    close();
                }
                if (!lost || !kept) {
                    database.failed(failure);
                    throw failure;
                }
            } finally {
                if (leave()) {
                    close();
                }
            }
        }
    }

    private Connection openForLoneStatements() throws SQLException {
        boolean fresh = connection == null || connection.isClosed();
        Connection open = open();
        if (fresh) {
            try (Statement statement = open.createStatement()) {
                statement.execute("set synchronous_commit = off");
            }
        }
        return open;
    }

    /// The first statement on a connection reads the time. So a connection that died meanwhile is
    /// noticed before anything is written, and it is replaced once.
    private Tx begin() throws SQLException {
        boolean kept = connection != null;
        try {
            return begin(open());
        } catch (SQLException e) {
            if (!kept || SqlStates.translate(e, false).kind() != StoreException.Kind.UNAVAILABLE) {
                throw e;
            }
            close();
            return begin(open());
        }
    }

    private Tx begin(Connection open) throws SQLException {
        leave();
        watched = database.watch().begin(name, open);
        Told last = told;
        long sinceNanos = last == null ? Long.MAX_VALUE : System.nanoTime() - last.atNanos();
        if (last != null && sinceNanos < database.clock().countedOn().toNanos()) {
            return new Tx(open, last.nowMillis() + sinceNanos / 1_000_000);
        }
        long nowMillis = database.clock().nowMillis(open);
        told = new Told(nowMillis, System.nanoTime());
        database.saw(nowMillis);
        return new Tx(open, nowMillis);
    }

    private Connection open() throws SQLException {
        Connection current = connection;
        if (current == null || current.isClosed()) {
            try {
                current = ofLane ? database.connectForLane() : database.connectForTransactions();
            } catch (SQLException e) {
                // Whatever the server has against a connection counts as no connection. If it knows
                // no such user or database now, a moment ago another server had this address.
                throw new SQLException(e.getMessage(), NO_CONNECTION, e);
            }
            connection = current;
        }
        return current;
    }

    private void abandon(@Nullable Tx tx, StoreException.Kind kind) {
        try {
            switch (kind) {
                case UNAVAILABLE, OUTCOME_UNKNOWN -> close();
                default -> {
                    if (tx != null) {
                        tx.rollBack();
                    }
                }
            }
        } catch (SQLException e) {
            close();
        }
    }

    @Override
    public void close() {
        Connection current = connection;
        connection = null;
        told = null;
        if (current != null) {
            try {
                current.close();
            } catch (SQLException e) {
                // A connection that cannot even be closed is gone; there is nothing left to save.
                return;
            }
        }
    }
}
