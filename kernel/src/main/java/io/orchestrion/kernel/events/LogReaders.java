package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sequence.Sequencer;

import org.jspecify.annotations.Nullable;

import java.sql.SQLException;
import java.util.List;
import java.util.UUID;

/// The logs that are passed on to receivers, each from a place that is kept in the database. The
/// place moves in the transaction that writes what follows from the events. So each event is passed
/// on once, whatever process is killed when. Only logs with receivers have a place at all.
public final class LogReaders {
    private LogReaders() {}

    /// The log of one queue of one account.
    public record Log(UUID accountId, String queue) {}

    /// Makes sure that the log is read: all that commits from now on is.
    ///
    /// @return a position that all that is committed is at or below, and all that commits from now
    ///     on is above
    public static long follow(Tx tx, UUID account, String queue) throws SQLException {
        // Takes a lock, because a reader that finds no receivers may be ending this log at the same
        // moment.
        boolean known = ReaderSql.known(tx, account, queue);
        long last = Sequencer.end(tx, account);
        if (!known) {
            ReaderSql.begin(tx, account, queue, EventCursor.above(last));
        }
        return last;
    }

    /// The same for a log that is never ended. It needs no lock, so that producers do not wait for
    /// readers. Events of the last few seconds before it may be read, too.
    public static void followForGood(Tx tx, UUID account, String queue) throws SQLException {
        if (!ReaderSql.exists(tx, account, queue)) {
            ReaderSql.begin(
                    tx, account, queue, EventCursor.above(Sequencer.reached(tx, account).last()));
        }
    }

    /// Whether any log is passed on at all.
    public static boolean any(Tx tx) throws SQLException {
        return ReaderSql.any(tx);
    }

    /// Logs with something new, the furthest behind first.
    public static List<Log> toRead(Tx tx, int most) throws SQLException {
        return ReaderSql.toRead(tx, most);
    }

    /// The next events of a log, which count as passed on once this transaction is committed; null
    /// when another transaction is passing on events of this log. Only events with a position are
    /// read. [Sequencer#place] runs before it, in a transaction of its own, so that nobody waits
    /// for this one.
    ///
    /// @param subjects whether it is a log of subjects and not of items
    public static @Nullable List<LogEvent> take(Tx tx, Log log, boolean subjects, int most)
            throws SQLException {
        EventCursor place = ReaderSql.take(tx, log.accountId(), log.queue());
        if (place == null) {
            return null;
        }
        long last = Sequencer.reached(tx, log.accountId()).last();
        EventCursor from = EventCursor.notBeyond(place, last);
        List<? extends LogEvent> events =
                subjects
                        ? SubjectSql.scan(tx, log.accountId(), log.queue(), from, most)
                        : EventsSql.scan(tx, log.accountId(), log.queue(), null, from, most);
        // Moves to the end when there is nothing more: what lies between belonged to items that are
        // gone.
        ReaderSql.move(
                tx,
                log.accountId(),
                log.queue(),
                events.isEmpty() ? EventCursor.above(last) : events.getLast().cursor());
        return List.copyOf(events);
    }

    /// Ends a log without receivers. The caller has it from [#take].
    public static void end(Tx tx, Log log) throws SQLException {
        ReaderSql.end(tx, log.accountId(), log.queue());
    }
}
