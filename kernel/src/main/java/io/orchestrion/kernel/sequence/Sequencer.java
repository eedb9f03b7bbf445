package io.orchestrion.kernel.sequence;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sequence.SequenceSql.Placed;

import java.sql.SQLException;
import java.util.ArrayList;
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

    /// Rounds of a call that has to come to the end of the log.
    private static final int ROUNDS_MAX = 200;

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

    /// The outcome of one round.
    ///
    /// @param last the last position that is given
    /// @param more whether the bound was reached, so that there may be more without a position
    public record Round(long last, boolean more) {}

    /// Gives positions to the next events of the account, up to a bound. If another sequencer keeps
    /// the lock for too long, the log stays as it is: its positions are right, and further events
    /// get theirs later.
    ///
    /// @return whether the bound was reached, so that another call may find more to do; false where
    ///     another sequencer has the lock, because the next call would wait for it again
    public boolean place(UUID account) {
        try {
            return database.transaction(tx -> placed(tx, account)).more();
        } catch (StoreException e) {
            if (e.kind() != StoreException.Kind.LOCKED) {
                throw e;
            }
            return false;
        }
    }

    /// The same until all that was committed before has a position, or another sequencer has the
    /// lock.
    public void placeToEnd(UUID account) {
        int rounds = 0;
        while (place(account)) {
            rounds++;
            if (rounds == ROUNDS_MAX) {
                throw tooMuch();
            }
        }
    }

    /// A position that all that was committed before this call is at or below, and all that commits
    /// after it is above.
    public long end(UUID account) {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Round done = database.transaction(tx -> placed(tx, account));
            if (!done.more()) {
                return done.last();
            }
        }
        throw tooMuch();
    }

    /// The same in the caller's transaction. Until that ends, nobody else reads on.
    public static long end(Tx tx, UUID account) throws SQLException {
        for (int round = 0; round < ROUNDS_MAX; round++) {
            Round done = placed(tx, account);
            if (!done.more()) {
                return done.last();
            }
        }
        throw tooMuch();
    }

    private static StoreException tooMuch() {
        return new StoreException(
                StoreException.Kind.OVERLOADED,
                "more events wait for their places in the log than one call gives");
    }

    private static Round placed(Tx tx, UUID account) throws SQLException {
        Reached reached = reached(tx, account);
        if (!reached.behind()) {
            return new Round(reached.last(), false);
        }
        Long locked = SequenceSql.lock(tx, account);
        if (locked == null) {
            SequenceSql.begin(tx, account, SequenceSql.floor(tx));
            locked = SequenceSql.lock(tx, account);
        }
        if (locked == null) {
            // The account was deleted meanwhile: nobody reads its events.
            return new Round(reached.last(), false);
        }
        Placed placed = placeLocked(tx, account, locked);
        return new Round(placed.last(), placed.many() == ROWS_AT_ONCE);
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
                        : PerAccount.list(
                                database,
                                List.copyOf(new HashSet<>(accounts)),
                                account -> account,
                                SequenceSql::behind);
        for (int from = 0; from < behind.size(); from += ACCOUNTS_AT_ONCE) {
            left.addAll(
                    PerAccount.list(
                            database,
                            behind.subList(from, Math.min(behind.size(), from + ACCOUNTS_AT_ONCE)),
                            account -> account,
                            (tx, _, some) -> placeUnlessBusy(tx, some)));
        }
        return left;
    }

    /// Gives back those that are not up to date even so.
    private static List<UUID> placeUnlessBusy(Tx tx, List<UUID> accounts) throws SQLException {
        var left = new ArrayList<UUID>();
        for (UUID account : accounts) {
            if (!placeUnlessBusy(tx, account)) {
                left.add(account);
            }
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
