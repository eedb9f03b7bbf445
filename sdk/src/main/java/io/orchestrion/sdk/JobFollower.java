package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/// Reads a job's log while it grows. The server holds each request until there is something new.
/// Each request names the place of the last event, so nothing is lost or repeated when the
/// connection breaks or the server restarts.
final class JobFollower {
    private static final Duration WAIT = Duration.ofSeconds(15);

    private final JobQueue queue;
    private final UUID id;
    private final Consumer<JobEvent> each;
    private @Nullable String after;

    JobFollower(JobQueue queue, UUID id, Consumer<JobEvent> each) {
        this.queue = queue;
        this.id = id;
        this.each = each;
    }

    QueueJob from(@Nullable String beginning) {
        after = beginning;
        while (true) {
            // The job is read before its log: everything that was written until its end is then on
            // the pages that follow.
            QueueJob job = queue.get(id);
            if (job.status().ended()) {
                while (!page(Duration.ZERO).isEnd()) {}
                return job;
            }
            Seen seen = page(Duration.ZERO);
            while (seen == Seen.LINES || seen == Seen.NOTHING) {
                seen = page(WAIT);
            }
        }
    }

    /// What a page contained. After a change of the job the follower reads the job, which may have
    /// ended.
    private enum Seen {
        NOTHING,
        LINES,
        CHANGES;

        boolean isEnd() {
            return this == NOTHING;
        }
    }

    private Seen page(Duration wait) {
        JobEventPage page = queue.events(id, after, null, wait);
        if (page.events().isEmpty()) {
            return Seen.NOTHING;
        }
        page.events().forEach(each);
        after = page.place();
        boolean changed =
                page.events().stream()
                        .anyMatch(
                                event ->
                                        event.event() != null
                                                && !event.event().equals("heartbeat"));
        return changed ? Seen.CHANGES : Seen.LINES;
    }
}
