package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// When a schedule is to fire. Times are exact, in order and never the same twice.
public sealed interface FireTimes permits CronTimes, EveryTimes, FireTimes.Between {
    /// The first time after the given one, or null when there is none.
    @Nullable Long after(long ms);

    default List<Long> after(long ms, int most) {
        var times = new ArrayList<Long>();
        Long next = after(ms);
        while (next != null && times.size() < most) {
            times.add(next);
            next = after(next);
        }
        return times;
    }

    /// The times from a start to an end, both inclusive.
    record Between(FireTimes all, @Nullable Long startMs, @Nullable Long endMs)
            implements FireTimes {
        @Override
        public @Nullable Long after(long ms) {
            Long next = all.after(startMs == null ? ms : Math.max(ms, startMs - 1));
            return next == null || endMs != null && next > endMs ? null : next;
        }
    }
}
