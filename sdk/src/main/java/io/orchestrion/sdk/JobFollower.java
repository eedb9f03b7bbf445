package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;

/// Reads a job's log page by page while it grows. Asking with the place of the last event loses and
/// repeats nothing, whatever happens to connection and server in between.
final class JobFollower {
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(250);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

    private final JobQueue queue;
    private final MonotonicClock clock;
    private final UUID id;
    private final Consumer<JobEvent> each;

    JobFollower(JobQueue queue, MonotonicClock clock, UUID id, Consumer<JobEvent> each) {
        this.queue = queue;
        this.clock = clock;
        this.id = id;
        this.each = each;
    }

    QueueJob from(@Nullable String beginning) {
        String after = beginning;
        Duration pause = SHORTEST_PAUSE;
        while (true) {
            // Asked for first: what is written until the end is then on the page that follows.
            QueueJob job = queue.get(id);
            JobEventPage page = queue.events(id, after, null);
            page.events().forEach(each);
            if (!page.events().isEmpty()) {
                after = place(page);
                pause = SHORTEST_PAUSE;
                continue;
            }
            if (job.status().ended()) {
                return job;
            }
            sleep(pause);
            pause = min(pause.multipliedBy(2), LONGEST_PAUSE);
        }
    }

    private static String place(JobEventPage page) {
        String cursor = page.nextCursor();
        return cursor == null ? page.events().getLast().createdAt().toString() : cursor;
    }

    private static Duration min(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private void sleep(Duration pause) {
        try {
            clock.sleep(pause);
        } catch (InterruptedException e) {
            throw Transport.interrupted(e);
        }
    }
}
