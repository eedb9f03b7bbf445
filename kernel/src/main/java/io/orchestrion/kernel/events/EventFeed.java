package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.db.PerAccount;
import io.orchestrion.kernel.db.Tx;
import io.orchestrion.kernel.sequence.Sequencer;

import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.function.Predicate;

/// Reads the logs of an account, one or several as one, page after page, and wakes those who follow
/// it when there is more. An event that belongs before what a reader was given never comes after
/// it: events get their positions after their commit, and only events with a position are read
/// ([Sequencer]).
public final class EventFeed implements AutoCloseable {
    /// How many rows are read at a time, and for one page at the most, where the query wants only
    /// some of them.
    static final int SCAN = 1000;
    static final int SCANS_MAX = 10;

    private final Database database;
    private final Sequencer sequencer;
    private final Set<String> subjectLogs;
    private final Followers followers;

    public EventFeed(Database database, Sequencer sequencer, Subjects subjects) {
        this.database = database;
        this.sequencer = sequencer;
        this.subjectLogs = Set.copyOf(subjects.logs());
        this.followers = new Followers(this::moved);
    }

    /// Reads at most so many events after the cursor. When there are no more, the page is empty and
    /// its `next` is the cursor to ask with again.
    public EventPage read(EventQuery query, EventCursor after, int limit) {
        return read(query, after, limit, this::scan);
    }

    /// A cursor after all that is committed, and before all that commits from now on.
    public EventCursor end(UUID account) {
        return EventCursor.above(sequencer.end(account));
    }

    /// The events of one item, including those of this moment.
    public EventPage ofItem(UUID account, String log, UUID item, EventCursor after, int limit) {
        sequencer.placeToEnd(account);
        List<FeedEvent> found =
                database.transaction(
                        tx -> EventsSql.scan(tx, account, log, item, after, limit + 1));
        List<FeedEvent> page = found.subList(0, Math.min(limit, found.size()));
        return new EventPage(
                List.copyOf(page),
                page.isEmpty() ? after : page.getLast().cursor(),
                found.size() > limit);
    }

    /// Follows logs until closed: `wake` is called whenever there may be more. Begin to follow
    /// before reading; otherwise an event between the two is found only a second later.
    public Follower follow(UUID account, List<String> logs, Runnable wake) {
        return new Follower(logs.stream().map(log -> followers.add(account, log, wake)).toList());
    }

    /// Something was committed, here or on another node.
    public void told(UUID account, String log) {
        followers.told(account, log);
    }

    /// Somebody who follows logs.
    public final class Follower implements AutoCloseable {
        private final List<Followers.Entry> entries;

        private Follower(List<Followers.Entry> entries) {
            this.entries = entries;
        }

        /// As [EventFeed#read]. Followers of the same log at the same place share one look at the
        /// database.
        public EventPage read(EventQuery query, EventCursor after, int limit) {
            return EventFeed.this.read(
                    query,
                    after,
                    limit,
                    query.item() == null && entries.size() == 1
                            ? (q, from, most) ->
                                    entries.getFirst()
                                            .scan(
                                                    from,
                                                    most,
                                                    () -> EventFeed.this.scan(q, from, most))
                            : EventFeed.this::scan);
        }

        @Override
        public void close() {
            entries.forEach(Followers.Entry::close);
        }
    }

    /// Consecutive events and whether the end was reached.
    ///
    /// @param next after the last of them
    record Scan(List<LogEvent> events, EventCursor next, boolean end) {}

    private interface Scanner {
        Scan scan(EventQuery query, EventCursor after, int most);
    }

    private static EventPage read(EventQuery query, EventCursor after, int limit, Scanner scanner) {
        Predicate<LogEvent> wanted = query.wanted();
        int most = wanted == null ? limit : SCAN;
        var events = new ArrayList<LogEvent>();
        EventCursor next = after;
        for (int scans = 0; scans < SCANS_MAX; scans++) {
            Scan scan = scanner.scan(query, next, most);
            for (LogEvent event : scan.events()) {
                if (wanted == null || wanted.test(event)) {
                    events.add(event);
                    if (events.size() == limit) {
                        boolean last = event.equals(scan.events().getLast());
                        return new EventPage(events, event.cursor(), !(last && scan.end()));
                    }
                }
            }
            next = scan.next();
            if (scan.end()) {
                return new EventPage(events, next, false);
            }
        }
        return new EventPage(events, next, true);
    }

    /// Reads the events that have a position. Only if those do not fill the page, it has the next
    /// events placed. If more events wait than one round places, the end is not reached: the caller
    /// goes on, or says that there is more. If another sequencer places them at the moment, the
    /// events that have a position count as all, so that a lock that is kept for long is waited for
    /// only once.
    private Scan scan(EventQuery query, EventCursor after, int most) {
        Looked first = look(query, after, most);
        if (first.scan().events().size() == most || !first.behind()) {
            return first.scan();
        }
        boolean more = sequencer.place(query.accountId());
        Scan scan = look(query, after, most).scan();
        return more ? new Scan(scan.events(), scan.next(), false) : scan;
    }

    /// @param behind whether there were events without a position when it began
    private record Looked(Scan scan, boolean behind) {}

    private Looked look(EventQuery query, EventCursor after, int most) {
        return database.transaction(
                tx -> {
                    Sequencer.Reached reached = Sequencer.reached(tx, query.accountId());
                    EventCursor from = EventCursor.notBeyond(after, reached.last());
                    List<LogEvent> events = consecutive(tx, query, from, reached.last(), most);
                    var scan =
                            new Scan(
                                    events,
                                    events.isEmpty() ? from : events.getLast().cursor(),
                                    events.size() < most);
                    return new Looked(scan, reached.behind());
                });
    }

    /// The next events of the logs, in the one order of the account. With several logs, it reads
    /// only up to a position that was given before the first of them was read. An event placed in
    /// between could otherwise be seen in one log while one with a lower position is missed in
    /// another.
    private List<LogEvent> consecutive(
            Tx tx, EventQuery query, EventCursor from, long last, int most) throws SQLException {
        if (query.logs().size() == 1) {
            return List.copyOf(ofLog(tx, query, query.logs().getFirst(), from, most));
        }
        var all = new ArrayList<LogEvent>();
        for (String log : query.logs()) {
            ofLog(tx, query, log, from, most).stream()
                    .filter(event -> event.position() <= last)
                    .forEach(all::add);
        }
        // No two logs share a position, and each comes in its order.
        all.sort(Comparator.comparingLong(LogEvent::position));
        return List.copyOf(all.subList(0, Math.min(most, all.size())));
    }

    private List<? extends LogEvent> ofLog(
            Tx tx, EventQuery query, String log, EventCursor from, int most) throws SQLException {
        if (subjectLogs.contains(log)) {
            return query.item() == null
                    ? SubjectSql.scan(tx, query.accountId(), log, from, most)
                    : List.of();
        }
        return EventsSql.scan(tx, query.accountId(), log, query.item(), from, most);
    }

    private List<EventsSql.Seen> moved(List<EventsSql.Seen> followed) {
        sequencer.placeAll(followed.stream().map(EventsSql.Seen::accountId).toList());
        return PerAccount.list(database, followed, EventsSql.Seen::accountId, EventsSql::moved);
    }

    /// Ends all following.
    @Override
    public void close() {
        followers.close();
    }

    /// How many follow on this node.
    public int following() {
        return followers.count();
    }
}
