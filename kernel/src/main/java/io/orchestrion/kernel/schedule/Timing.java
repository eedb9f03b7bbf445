package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.ZoneId;

/// When a schedule fires, as its owner defines it: by a cron expression or at a fixed distance.
///
/// @param timezone the time zone of a cron expression
/// @param startMs no fire before
/// @param endMs no fire after
public record Timing(
        @Nullable String cron,
        @Nullable Long everySeconds,
        String timezone,
        @Nullable Long startMs,
        @Nullable Long endMs) {

    public static final Duration EVERY_MAX = Duration.ofDays(31);

    /// A schedule must fire within this time from its start, and may not start later than that.
    public static final Duration HORIZON = Duration.ofDays(5 * 365 + 1);

    /// The times, refused when there can be none.
    ///
    /// @param anchorMs what a fixed distance is counted from
    FireTimes times(long anchorMs) {
        if ((cron == null) == (everySeconds == null)) {
            throw new InvalidTiming("cron", "or everySeconds must be given, and not both");
        }
        FireTimes all =
                cron != null
                        ? CronTimes.of(cron, zone())
                        : new EveryTimes(anchorMs, Duration.ofSeconds(everySeconds).toMillis());
        return new FireTimes.Between(all, startMs, endMs);
    }

    private ZoneId zone() {
        if (!ZoneId.getAvailableZoneIds().contains(timezone)) {
            throw new InvalidTiming(
                    "timezone", "must be a name of the IANA time zones, such as Europe/Berlin");
        }
        return ZoneId.of(timezone);
    }

    /// Checks a new schedule, or one with a new timing.
    void check(long anchorMs, long nowMs) {
        zone();
        within("startAt", startMs, nowMs);
        if (endMs != null && endMs <= nowMs) {
            throw new InvalidTiming("endAt", "must be ahead");
        }
        if (endMs != null && startMs != null && endMs <= startMs) {
            throw new InvalidTiming("endAt", "must be after startAt");
        }
        long from = startMs == null ? nowMs : Math.max(nowMs, startMs - 1);
        Long first =
                new Timing(cron, everySeconds, timezone, startMs, null).times(anchorMs).after(from);
        if (first == null || first - from > HORIZON.toMillis()) {
            throw new InvalidTiming("cron", "has no time within " + years());
        }
        if (endMs != null && first > endMs) {
            throw new InvalidTiming("endAt", "is before the first time, which would never come");
        }
    }

    private static void within(String field, @Nullable Long ms, long nowMs) {
        if (ms != null && Math.abs(ms - nowMs) > HORIZON.toMillis()) {
            throw new InvalidTiming(field, "must be within " + years() + " of now");
        }
    }

    private static String years() {
        return HORIZON.toDays() / 365 + " years";
    }
}
