package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.Tx;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// The logs that are passed on to others, each from a place that is kept in the database. The place
/// moves in the transaction that writes what comes of the events, so each event is passed on once,
/// whatever is killed when; and only logs that somebody listens to have a place at all.
public final class LogReaders {
    private LogReaders() {}

    /// The log of one queue of one account.
    public record Log(UUID accountId, String queue) {}

    /// Makes sure that the log is read: all that commits from now on is, and at most a little that
    /// was just committed.
    ///
    /// @return the first transaction whose events are certainly read
    public static long follow(Tx tx, UUID account, String queue) throws SQLException {
        // The lock keeps a reader that finds nobody listening from ending what is begun here.
        long horizon = EventsSql.horizon(tx);
        if (!ReaderSql.known(tx, account, queue)) {
            ReaderSql.begin(tx, account, queue, EventCursor.before(horizon));
        }
        return horizon;
    }

    /// The same for a log that is never ended, which needs no lock: whoever hands in work must not
    /// wait for those who read.
    public static void followForGood(Tx tx, UUID account, String queue) throws SQLException {
        if (!ReaderSql.exists(tx, account, queue)) {
            ReaderSql.begin(tx, account, queue, EventCursor.before(EventsSql.horizon(tx)));
        }
    }

    /// Whether any log is passed on at all.
    public static boolean any(Tx tx) throws SQLException {
        return ReaderSql.any(tx);
    }

    /// Logs with something new, the furthest behind first.
    public static List<Log> toRead(Tx tx, int most) throws SQLException {
        return ReaderSql.toRead(tx, EventsSql.horizon(tx), most);
    }

    /// The next events of a log, which count as passed on once this transaction is committed; null
    /// when another is at it.
    public static @Nullable List<FeedEvent> take(Tx tx, Log log, int most) throws SQLException {
        EventCursor place = ReaderSql.take(tx, log.accountId(), log.queue());
        if (place == null) {
            return null;
        }
        long horizon = EventsSql.horizon(tx);
        // As of [EventFeed]: a place beyond the end is of data that was lost.
        EventCursor from = place.position() > horizon ? EventCursor.before(horizon) : place;
        var query = new EventQuery(log.accountId(), log.queue(), null, null);
        List<FeedEvent> events = EventsSql.scan(tx, query, from, horizon, most);
        // Up to the end when there is nothing more: what lies between was of items that are gone.
        ReaderSql.move(
                tx,
                log.accountId(),
                log.queue(),
                events.isEmpty() ? EventCursor.before(horizon) : events.getLast().cursor());
        return events;
    }

    /// Nobody listens to it any more. The caller has it from [#take].
    public static void end(Tx tx, Log log) throws SQLException {
        ReaderSql.end(tx, log.accountId(), log.queue());
    }
}
