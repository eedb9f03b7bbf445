package io.orchestrion.kernel.sequence;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sequence.SequenceSql.Placed;

import java.sql.SQLException;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;

/// Gives committed events their positions in the log of their account. Writers give none: they
/// would have to wait for each other. Whoever reads a log has it brought up to date first, and the
/// totals do so for all logs every few seconds, so a log that nobody reads costs next to nothing.
///
/// Positions are given under the lock of the account's row in `event_log` and become visible when
/// that is let go, so a reader never finds one and later another below it. An item's events get
/// theirs in the order in which they happened, see `place` in `sequence.sql`. No open transaction
/// of anybody else delays a log, and nothing rests on transaction numbers (decision 136).
public final class Sequencer {
    /// Rows that get positions in one transaction, which bounds how long the lock is held.
    static final int ROWS_AT_ONCE = 1000;

    private static final int ACCOUNTS_AT_ONCE = 50;

    private final Database database;

    public Sequencer(Database database) {
        this.database = database;
    }

    /// How far a log is.
    ///
    /// @param last the last position that is given: all that has none yet will be above it
    /// @param behind whether something was committed that has no position yet
    public record Reached(long last, boolean behind) {}

    public static Reached reached(Tx tx, UUID account) throws SQLException {
        SequenceSql.Look look = SequenceSql.look(tx, account);
        Long last = look.last();
        return new Reached(last == null ? SequenceSql.floor(tx) : last, look.behind());
    }

    /// Brings the account's log up to date, up to a bound. When another sequencer keeps the lock
    /// for too long, the log stays as it is: what it has is right, and the rest comes later.
    public void place(UUID account) {
        try {
            database.transaction(tx -> placed(tx, account));
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.LOCKED) {
                throw e;
            }
        }
    }

    /// The same in the caller's transaction, until whose end nobody else reads on.
    ///
    /// @return the last position that is given
    public static long placed(Tx tx, UUID account) throws SQLException {
        Reached reached = reached(tx, account);
        if (!reached.behind()) {
            return reached.last();
        }
        Long locked = SequenceSql.lock(tx, account);
        if (locked == null) {
            SequenceSql.begin(tx, account, SequenceSql.floor(tx));
            locked = SequenceSql.lock(tx, account);
        }
        // Null where the account was deleted meanwhile: then nobody reads its events.
        return locked == null ? reached.last() : placeLocked(tx, account, locked).last();
    }

    /// Brings the logs of several accounts up to date, each up to a bound, but for those that
    /// another sequencer works on.
    ///
    /// @return the accounts whose logs are not up to date: busy, or with more than the bound
    public Set<UUID> placeAll(Collection<UUID> accounts) {
        var left = new HashSet<UUID>();
        List<UUID> behind =
                accounts.isEmpty()
                        ? List.of()
                        : database.transaction(
                                tx -> SequenceSql.behind(tx, new HashSet<>(accounts)));
        for (int from = 0; from < behind.size(); from += ACCOUNTS_AT_ONCE) {
            List<UUID> some =
                    behind.subList(from, Math.min(behind.size(), from + ACCOUNTS_AT_ONCE));
            database.transaction(
                    tx -> {
                        for (UUID account : some) {
                            if (!placeUnlessBusy(tx, account)) {
                                left.add(account);
                            }
                        }
                        return null;
                    });
        }
        return left;
    }

    /// Whether all that was committed before has a position now.
    private static boolean placeUnlessBusy(Tx tx, UUID account) throws SQLException {
        if (SequenceSql.look(tx, account).last() == null) {
            SequenceSql.begin(tx, account, SequenceSql.floor(tx));
        }
        Long locked = SequenceSql.lockUnlessBusy(tx, account);
        return locked != null && placeLocked(tx, account, locked).many() < ROWS_AT_ONCE;
    }

    private static Placed placeLocked(Tx tx, UUID account, long last) throws SQLException {
        Placed placed = SequenceSql.place(tx, account, last, ROWS_AT_ONCE);
        if (placed.many() > 0) {
            SequenceSql.move(tx, account, placed.last());
        }
        return placed;
    }
}
