package io.orchestrion.simulator.history;

import io.orchestrion.sdk.JobReport.Event;
import io.orchestrion.simulator.history.Observed.Downtime;
import io.orchestrion.simulator.history.Violation.Finds;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// Whether deferred jobs kept to their time.
final class TimeRules {
    private static final Duration PRECISION = Duration.ofSeconds(1);

    private TimeRules() {}

    static void check(Story story, List<Downtime> downtimes, Finds finds) {
        Instant due = story.executionAt();
        if (due == null) {
            return;
        }
        for (Event event : story.events()) {
            boolean before = event.at().isBefore(due);
            if (before && !List.of("CREATED", "CANCELED").contains(event.nextState())) {
                finds.add(
                        Rule.EARLY,
                        story.id(),
                        event.name() + " at " + event.at() + ", its time is " + due);
            }
        }
        Instant queued = queuedAt(story);
        if (queued != null) {
            // What was due before it was there could not be queued before.
            Instant could = story.dueAtSubmit() ? story.createdAt() : due;
            Duration late = Duration.between(fairFrom(could, queued, downtimes), queued);
            if (late.compareTo(PRECISION) > 0) {
                finds.add(
                        Rule.LATE,
                        story.id(),
                        "queued at " + queued + ", " + late.toMillis() + " ms after it could be");
            }
        }
    }

    /// When it was queued first.
    public static @Nullable Instant queuedAt(Story story) {
        for (Event event : story.events()) {
            if (event.nextState().equals("QUEUED")) {
                return event.at();
            }
        }
        return null;
    }

    /// Its time, or when the server was back if it was down then or soon after.
    private static Instant fairFrom(Instant due, Instant queued, List<Downtime> downtimes) {
        Instant from = due;
        for (Downtime down : downtimes) {
            if (down.touches(due, queued) && down.from().isBefore(due.plus(PRECISION))) {
                from = from.isBefore(down.until()) ? down.until() : from;
            }
        }
        return from;
    }
}
