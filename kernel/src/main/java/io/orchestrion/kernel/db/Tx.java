package io.orchestrion.kernel.db;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;

/// One open transaction: its connection, its one moment in time, and what is to happen once it is
/// committed.
public final class Tx {
    private static final Logger log = LoggerFactory.getLogger(Tx.class);

    /// Of a lone statement, which asked for no time.
    static final long NO_TIME = Long.MIN_VALUE;

    private final Connection connection;
    private final long nowMillis;
    private final List<Runnable> afterCommit = new ArrayList<>();

    Tx(Connection connection, long nowMillis) {
        this.connection = connection;
        this.nowMillis = nowMillis;
    }

    /// For `*Sql` classes only; the architecture test holds them to it.
    public Connection connection() {
        return connection;
    }

    /// The database's time of this transaction, the same for everything in it.
    public long nowMillis() {
        if (nowMillis == NO_TIME) {
            throw new IllegalStateException("a lone statement reads the time itself");
        }
        return nowMillis;
    }

    /// Runs once the commit is durable, never when it is not. For wake-ups and counters: it must
    /// not block or fail.
    public void afterCommit(Runnable action) {
        afterCommit.add(action);
    }

    /// The commit stands, whatever becomes of these: one that fails is logged and no more.
    void committed() {
        for (Runnable action : afterCommit) {
            try {
                action.run();
            } catch (RuntimeException e) {
                log.error("an action after a commit failed", e);
            }
        }
    }
}
