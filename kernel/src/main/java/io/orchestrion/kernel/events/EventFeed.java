package io.orchestrion.kernel.events;

import io.orchestrion.kernel.db.Database;
import io.orchestrion.kernel.sequence.Sequencer;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Predicate;

/// Reads the log of an account's queue, page after page, and tells those who follow it that there
/// is more. What a reader was given is never followed by something that belongs before it: events
/// get their positions after their commit, and only what has one is read ([Sequencer]).
public final class EventFeed implements AutoCloseable {
    /// Rows gone through at a time, and for one page at the most, where not all are wanted.
    static final int SCAN = 1000;
    static final int SCANS_MAX = 10;

    private final Database database;
    private final Sequencer sequencer;
    private final Followers followers;

    public EventFeed(Database database, Sequencer sequencer) {
        this.database = database;
        this.sequencer = sequencer;
        this.followers = new Followers(this::moved);
    }

    /// At most so many events after the place. When nothing more is there, the page is empty and
    /// its `next` is the place to ask from again.
    public EventPage read(EventQuery query, EventCursor after, int limit) {
        return read(query, after, limit, this::scan);
    }

    /// Before all that commits from now on.
    public EventCursor end(UUID account) {
        return EventCursor.above(database.transaction(tx -> Sequencer.placed(tx, account)));
    }

    /// The events of one item, those of the last moment included.
    public EventPage ofItem(UUID account, String queue, UUID item, EventCursor after, int limit) {
        var query = new EventQuery(account, queue, item, null);
        sequencer.place(account);
        List<FeedEvent> found =
                database.transaction(tx -> EventsSql.scan(tx, query, after, limit + 1));
        List<FeedEvent> page = found.subList(0, Math.min(limit, found.size()));
        return new EventPage(
                page, page.isEmpty() ? after : page.getLast().cursor(), found.size() > limit);
    }

    /// Follows a log until closed: `wake` is called whenever there may be more. Follow before
    /// reading, or what comes in between is found a second later.
    public Follower follow(UUID account, String queue, Runnable wake) {
        return new Follower(followers.add(account, queue, wake));
    }

    /// Something was committed, here or on another node.
    public void told(UUID account, String queue) {
        followers.told(account, queue);
    }

    /// One who follows a log.
    public final class Follower implements AutoCloseable {
        private final Followers.Entry entry;

        private Follower(Followers.Entry entry) {
            this.entry = entry;
        }

        /// As [EventFeed#read]. Those who follow the same log at the same place share one look.
        public EventPage read(EventQuery query, EventCursor after, int limit) {
            return EventFeed.this.read(
                    query,
                    after,
                    limit,
                    query.item() == null
                            ? (q, from, most) ->
                                    entry.scan(from, most, () -> EventFeed.this.scan(q, from, most))
                            : EventFeed.this::scan);
        }

        @Override
        public void close() {
            entry.close();
        }
    }

    /// Consecutive events and whether the end was reached.
    ///
    /// @param next after the last of them
    record Scan(List<FeedEvent> events, EventCursor next, boolean end) {}

    private interface Scanner {
        Scan scan(EventQuery query, EventCursor after, int most);
    }

    private static EventPage read(EventQuery query, EventCursor after, int limit, Scanner scanner) {
        Predicate<FeedEvent> wanted = query.wanted();
        int most = wanted == null ? limit : SCAN;
        var events = new ArrayList<FeedEvent>();
        EventCursor next = after;
        for (int scans = 0; scans < SCANS_MAX; scans++) {
            Scan scan = scanner.scan(query, next, most);
            for (FeedEvent event : scan.events()) {
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

    /// Reads what has a position, and only when that does not fill the page, has the rest given
    /// theirs.
    private Scan scan(EventQuery query, EventCursor after, int most) {
        Looked first = look(query, after, most);
        if (first.scan().events().size() == most || !first.behind()) {
            return first.scan();
        }
        sequencer.place(query.accountId());
        return look(query, after, most).scan();
    }

    /// @param behind whether there were events without a position when it began
    private record Looked(Scan scan, boolean behind) {}

    private Looked look(EventQuery query, EventCursor after, int most) {
        return database.transaction(
                tx -> {
                    Sequencer.Reached reached = Sequencer.reached(tx, query.accountId());
                    EventCursor from = EventCursor.notBeyond(after, reached.last());
                    List<FeedEvent> events = EventsSql.scan(tx, query, from, most);
                    var scan =
                            new Scan(
                                    events,
                                    events.isEmpty() ? from : events.getLast().cursor(),
                                    events.size() < most);
                    return new Looked(scan, reached.behind());
                });
    }

    private List<EventsSql.Seen> moved(List<EventsSql.Seen> followed) {
        sequencer.placeAll(followed.stream().map(EventsSql.Seen::accountId).toList());
        return database.transaction(tx -> EventsSql.moved(tx, followed));
    }

    /// Lets go of those who follow.
    @Override
    public void close() {
        followers.close();
    }

    /// How many follow on this node.
    public int following() {
        return followers.count();
    }
}
