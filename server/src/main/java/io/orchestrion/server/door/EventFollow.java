package io.orchestrion.server.door;

import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.AnswerStream;
import io.orchestrion.server.http.Call;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;

/// One client that follows a log, by server-sent events or by waiting for a page. While it waits or
/// writes, it holds one part of the log and no connection to the database. So a slow client delays
/// nobody.
public final class EventFollow {
    public static final String MEDIA_TYPE = "text/event-stream";
    public static final String LAST_ID = "Last-Event-ID";

    /// How long a client waits before it connects again.
    private static final Duration RETRY = Duration.ofSeconds(2);

    /// A sign of life on a quiet stream, for proxies, and the moment at which a client that is gone
    /// or a key that was revoked is noticed.
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /// The log as one client follows it: it knows how far that client is.
    public interface Place<P> extends AutoCloseable {
        /// The events since the last call; the place moves on past them.
        P next();

        /// Whether there is nothing in the page.
        boolean empty(P page);

        /// Whether there is more after the page already.
        boolean more(P page);

        /// The page as events of a stream; nothing for an empty one.
        String frames(P page);

        /// Where the client is, as the id to go on from.
        String id();

        @Override
        void close();
    }

    /// Opens the log.
    @FunctionalInterface
    public interface Opening<P> {
        /// @param wake called whenever there may be more
        Place<P> open(Runnable wake);
    }

    private EventFollow() {}

    /// Whether a stream is what the caller would rather have.
    public static boolean wanted(Call call) {
        return call.headers("Accept").stream()
                .flatMap(line -> Arrays.stream(line.split(",")))
                .map(type -> type.split(";", 2)[0].strip().toLowerCase(Locale.ROOT))
                .anyMatch(MEDIA_TYPE::equals);
    }

    /// @param seconds when the stream ends by itself
    /// @param stillGood whether what opened it would open it now
    public static <P> Answer stream(Opening<P> opening, int seconds, BooleanSupplier stillGood) {
        return Answer.stream(200, MEDIA_TYPE, out -> write(out, opening, seconds, stillGood))
                .with("Cache-Control", "no-store")
                // Proxies that gather answers would hold events back.
                .with("X-Accel-Buffering", "no");
    }

    private static <P> void write(
            AnswerStream out, Opening<P> opening, int seconds, BooleanSupplier stillGood)
            throws IOException, InterruptedException {
        long end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
        long beat = System.nanoTime() + HEARTBEAT.toNanos();
        try (Place<P> place = opening.open(out::wake)) {
            out.write(text("retry: " + RETRY.toMillis() + "\n" + bare(place)));
            while (!out.ending()) {
                P page = place.next();
                if (!place.empty(page)) {
                    out.write(text(place.frames(page)));
                }
                long now = System.nanoTime();
                if (now - beat >= 0) {
                    if (!stillGood.getAsBoolean()) {
                        return;
                    }
                    out.write(text(": heartbeat\n" + bare(place)));
                    beat = now + HEARTBEAT.toNanos();
                }
                if (!place.more(page)) {
                    if (now - end >= 0) {
                        return;
                    }
                    out.await(Duration.ofNanos(Math.min(beat - now, end - now)));
                }
            }
        }
    }

    /// An id without an event: the client resumes from here though nothing it wanted has come.
    private static String bare(Place<?> place) {
        return "id: " + place.id() + "\n\n";
    }

    /// One event of a stream.
    ///
    /// @param json one line, as JSON has no line breaks of its own
    public static void frame(StringBuilder frames, String id, String event, String json) {
        frames.append("id: ")
                .append(id)
                .append("\nevent: ")
                .append(event)
                .append("\ndata: ")
                .append(json)
                .append("\n\n");
    }

    private static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /// Looks again whenever there may be something, until there is, the time is over or the server
    /// stops: then the page is as empty as it is.
    public static <P> P awaited(Call call, Opening<P> opening, int seconds) throws Exception {
        var signal = new Semaphore(0);
        var stopping = new AtomicBoolean();
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        return call.waiting(
                () -> {
                    try (Place<P> place = opening.open(signal::release)) {
                        P page = place.next();
                        while (place.empty(page) && !stopping.get()) {
                            long left = deadline - System.nanoTime();
                            if (left <= 0) {
                                break;
                            }
                            if (!place.more(page)) {
                                signal.tryAcquire(left, TimeUnit.NANOSECONDS);
                                signal.drainPermits();
                            }
                            page = place.next();
                        }
                        return page;
                    }
                },
                () -> {
                    stopping.set(true);
                    signal.release();
                });
    }

    /// The events as frames, one after the other.
    public static <E> String frames(List<E> events, Frame<E> each) {
        var frames = new StringBuilder(events.size() * 400);
        events.forEach(event -> each.write(frames, event));
        return frames.toString();
    }

    /// Writes one event by [#frame].
    @FunctionalInterface
    public interface Frame<E> {
        void write(StringBuilder frames, E event);
    }
}
