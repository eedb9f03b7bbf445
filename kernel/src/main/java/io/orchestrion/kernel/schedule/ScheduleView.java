package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// A schedule as it is shown.
///
/// @param upcoming the next times, the first of them that of the next fire
/// @param bufferedMs the time that waits for the task before it to end
/// @param skipped fires that made no task because of an earlier one
/// @param missed times that passed while nobody could fire, and are given up
/// @param failed fires that should have made a task and could not
public record ScheduleView(
        UUID id,
        ScheduleDefinition definition,
        Status status,
        List<Long> upcoming,
        @Nullable Long bufferedMs,
        @Nullable Long lastFireMs,
        @Nullable UUID lastTaskId,
        long fired,
        long missed,
        long skipped,
        long failed,
        @Nullable Long failureMs,
        @Nullable String failure,
        long createdMs,
        long updatedMs) {

    /// How many times are shown.
    public static final int UPCOMING = 5;

    public enum Status {
        ACTIVE,
        PAUSED,
        /// No time is left before its end.
        ENDED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    static ScheduleView of(Schedule schedule) {
        Progress progress = schedule.progress();
        return new ScheduleView(
                schedule.id(),
                schedule.definition(),
                status(schedule),
                upcoming(schedule),
                progress.bufferedMs(),
                progress.lastFireMs(),
                progress.lastTaskId(),
                progress.fired(),
                progress.missed(),
                progress.skipped(),
                progress.failed(),
                progress.failureMs(),
                progress.failure(),
                schedule.createdMs(),
                schedule.updatedMs());
    }

    private static Status status(Schedule schedule) {
        if (schedule.paused()) {
            return Status.PAUSED;
        }
        return schedule.progress().dueMs() == null ? Status.ENDED : Status.ACTIVE;
    }

    private static List<Long> upcoming(Schedule schedule) {
        Long next = schedule.progress().nextFireMs();
        if (next == null) {
            return List.of();
        }
        try {
            return schedule.times().after(next - 1, UPCOMING);
        } catch (InvalidTiming e) {
            // A time zone that this node does not know: it is shown all the same.
            return List.of(next);
        }
    }
}
