package io.orchestrion.server.tasks;

import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventFeed;
import io.orchestrion.kernel.events.EventPage;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.EventFollow;

/// How far one client is in the log of its account.
final class FeedPlace implements EventFollow.Place<EventPage> {
    /// What a stream takes at a time.
    static final int PAGE = 500;

    private final EventFeed.Follower follower;
    private final EventQuery query;
    private final int limit;
    private EventCursor at;

    FeedPlace(EventFeed.Follower follower, EventQuery query, EventCursor after, int limit) {
        this.follower = follower;
        this.query = query;
        this.at = after;
        this.limit = limit;
    }

    static EventFollow.Opening<EventPage> opening(
            EventFeed feed, EventQuery query, EventCursor after, int limit) {
        return wake ->
                new FeedPlace(
                        feed.follow(query.accountId(), query.logs(), wake), query, after, limit);
    }

    @Override
    public EventPage next() {
        EventPage page = follower.read(query, at, limit);
        at = page.next();
        return page;
    }

    @Override
    public boolean empty(EventPage page) {
        return page.events().isEmpty();
    }

    @Override
    public boolean more(EventPage page) {
        return page.more();
    }

    @Override
    public String frames(EventPage page) {
        return EventFollow.frames(
                page.events(),
                (frames, event) ->
                        EventFollow.frame(
                                frames,
                                event.cursor().text(),
                                EventSpecs.name(event),
                                JsonWriter.objectText(out -> EventSpecs.write(out, event))));
    }

    @Override
    public String id() {
        return at.text();
    }

    @Override
    public void close() {
        follower.close();
    }
}
