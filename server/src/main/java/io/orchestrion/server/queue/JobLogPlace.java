package io.orchestrion.server.queue;

import io.orchestrion.kernel.events.ItemLogFeed;
import io.orchestrion.kernel.events.RowFollowers;
import io.orchestrion.kernel.itemlog.LogEntry;
import io.orchestrion.kernel.itemlog.LogPage;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.door.EventFollow;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// How far one client is in the log of a job.
final class JobLogPlace implements EventFollow.Place<LogPage> {
    /// What a stream writes at a time.
    static final int PAGE = 500;

    /// Events are up to 80 KB each, so a page ends early rather than become as large as all of
    /// them.
    private static final int PART = 50;
    private static final long PAGE_BYTES = 4 << 20;

    private final ItemLogFeed feed;
    private final RowFollowers.Follower follower;
    private final UUID account;
    private final UUID job;
    private final int limit;
    private long at;

    private JobLogPlace(
            ItemLogFeed feed,
            RowFollowers.Follower follower,
            UUID account,
            UUID job,
            long after,
            int limit) {
        this.feed = feed;
        this.follower = follower;
        this.account = account;
        this.job = job;
        this.at = after;
        this.limit = limit;
    }

    static EventFollow.Opening<LogPage> opening(
            ItemLogFeed feed, UUID account, UUID job, long after, int limit) {
        return wake ->
                new JobLogPlace(feed, feed.follow(account, job, wake), account, job, after, limit);
    }

    /// At most so many events after the time, fewer where they are large; null when the account has
    /// no such job.
    static @Nullable LogPage read(ItemLogFeed feed, UUID account, UUID job, long after, int limit) {
        var events = new ArrayList<LogEntry>();
        long at = after;
        long bytes = 0;
        boolean more = true;
        while (more && events.size() < limit && bytes < PAGE_BYTES) {
            LogPage part =
                    feed.read(
                            account,
                            QueueSpecs.PROFILE.queue(),
                            job,
                            at,
                            Math.min(PART, limit - events.size()));
            if (part == null) {
                return null;
            }
            events.addAll(part.events());
            at = part.nextMs();
            more = part.more();
            for (LogEntry event : part.events()) {
                String payload = event.payload();
                bytes += event.message().length() + (payload == null ? 0 : payload.length());
            }
        }
        return new LogPage(List.copyOf(events), at, more);
    }

    /// Of a job that was purged meanwhile there is nothing more.
    @Override
    public LogPage next() {
        LogPage page = read(feed, account, job, at, limit);
        if (page == null) {
            return new LogPage(List.of(), at, false);
        }
        at = page.nextMs();
        return page;
    }

    @Override
    public boolean empty(LogPage page) {
        return page.events().isEmpty();
    }

    @Override
    public boolean more(LogPage page) {
        return page.more();
    }

    @Override
    public String frames(LogPage page) {
        return EventFollow.frames(
                page.events(),
                (frames, event) ->
                        EventFollow.frame(
                                frames,
                                JobEventCursor.of(event.createdMs()),
                                event.level().word(),
                                JsonWriter.objectText(out -> JobJson.write(out, event))));
    }

    @Override
    public String id() {
        return JobEventCursor.of(at);
    }

    @Override
    public void close() {
        follower.close();
    }
}
