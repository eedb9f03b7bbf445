package io.orchestrion.server.tasks;

import io.orchestrion.kernel.events.EventCursor;
import io.orchestrion.kernel.events.EventFeed;
import io.orchestrion.kernel.events.EventPage;
import io.orchestrion.kernel.events.EventQuery;
import io.orchestrion.kernel.events.FeedEvent;
import io.orchestrion.server.http.AnswerStream;
import io.orchestrion.server.json.JsonWriter;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/// One client that follows the log by server-sent events. It holds a part of the log at a time and
/// no connection to the database while it waits or writes, so a slow client keeps nobody up.
final class EventStream {
    /// What a client waits before it comes back after a lost connection.
    private static final Duration RETRY = Duration.ofSeconds(2);

    /// A sign of life on a quiet stream, for proxies, and the moment at which a client that is gone
    /// or a key that was revoked is noticed.
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    private static final int PAGE = 500;

    private final EventFeed feed;
    private final EventQuery query;
    private final int seconds;
    private final BooleanSupplier keyGood;
    private EventCursor at;

    EventStream(
            EventFeed feed,
            EventQuery query,
            EventCursor after,
            int seconds,
            BooleanSupplier keyGood) {
        this.feed = feed;
        this.query = query;
        this.at = after;
        this.seconds = seconds;
        this.keyGood = keyGood;
    }

    void write(AnswerStream out) throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        long beat = System.nanoTime() + HEARTBEAT.toNanos();
        out.write(text("retry: " + RETRY.toMillis() + "\n" + place()));
        try (var follower = feed.follow(query.accountId(), query.queue(), out::wake)) {
            while (!out.ending()) {
                EventPage page = follower.read(query, at, PAGE);
                at = page.next();
                if (!page.events().isEmpty()) {
                    out.write(frames(page));
                }
                long now = System.nanoTime();
                if (now - beat >= 0) {
                    if (!keyGood.getAsBoolean()) {
                        return;
                    }
                    out.write(text(": heartbeat\n" + place()));
                    beat = now + HEARTBEAT.toNanos();
                }
                if (!page.more()) {
                    if (now - end >= 0) {
                        return;
                    }
                    out.await(Duration.ofNanos(Math.min(beat - now, end - now)));
                }
            }
        }
    }

    /// An id without an event: the client resumes from here though nothing it wanted has come.
    private String place() {
        return "id: " + at.text() + "\n\n";
    }

    private static byte[] frames(EventPage page) {
        var frames = new StringBuilder(page.events().size() * 400);
        for (FeedEvent event : page.events()) {
            frames.append("id: ")
                    .append(event.cursor().text())
                    .append("\nevent: ")
                    .append(TaskEvent.of(event.entry()).word())
                    // One line, as JSON has no line breaks of its own.
                    .append("\ndata: ")
                    .append(JsonWriter.objectText(out -> EventSpecs.write(out, event)))
                    .append("\n\n");
        }
        return text(frames.toString());
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
