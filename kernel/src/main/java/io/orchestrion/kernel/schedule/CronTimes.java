package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.zone.ZoneOffsetTransition;
import java.time.zone.ZoneRules;

/// The minutes of a cron expression on the clocks of one time zone.
///
/// An expression that names hours means wall-clock times, and each of them fires once a day: a time
/// that the clocks leap over fires as soon as they have leapt, and one that they show twice fires
/// the first time. An expression that names every hour goes by elapsed time: it fires whenever the
/// clocks show such a minute, on both passes through a repeated hour and not at all in one that
/// does not exist.
record CronTimes(Cron cron, ZoneRules rules) implements FireTimes {
    /// How often the calendar is asked for one time. The most that a time zone has asked for is the
    /// minutes of a day that it left out; the changes of its clocks within nine years are fewer.
    private static final int ROUNDS_MAX = 2 * 24 * 60;

    static CronTimes of(String expression, ZoneId zone) {
        return new CronTimes(Cron.parse(expression), zone.getRules());
    }

    @Override
    public @Nullable Long after(long ms) {
        return cron.everyHour() ? byElapsedTime(ms + 1) : byWallClock(ms);
    }

    /// Going forward on the wall clock never goes back in time, so the first one that is late
    /// enough is the next.
    private @Nullable Long byWallClock(long ms) {
        LocalDateTime wall = wall(ms, rules.getOffset(Instant.ofEpochMilli(ms)));
        for (int round = 0; round < ROUNDS_MAX; round++) {
            LocalDateTime next = cron.firstFrom(wall);
            if (next == null) {
                return null;
            }
            long at = at(next);
            if (at > ms) {
                return at;
            }
            wall = next.plusMinutes(1);
        }
        return null;
    }

    private long at(LocalDateTime wall) {
        ZoneOffsetTransition transition = rules.getTransition(wall);
        if (transition == null) {
            return millis(wall, rules.getOffset(wall));
        }
        return transition.isGap()
                ? transition.getInstant().toEpochMilli()
                : millis(wall, transition.getOffsetBefore());
    }

    private @Nullable Long byElapsedTime(long fromMs) {
        Instant cursor = Instant.ofEpochMilli(fromMs);
        ZoneOffset offset = rules.getOffset(cursor);
        LocalDateTime wall = wall(fromMs, offset);
        for (int round = 0; round < ROUNDS_MAX; round++) {
            LocalDateTime next = cron.firstFrom(wall);
            if (next == null) {
                return null;
            }
            long at = millis(next, offset);
            ZoneOffsetTransition transition = rules.nextTransition(cursor);
            if (transition == null || at < transition.getInstant().toEpochMilli()) {
                return at;
            }
            cursor = transition.getInstant();
            offset = transition.getOffsetAfter();
            wall = transition.getDateTimeAfter();
        }
        return null;
    }

    private static LocalDateTime wall(long ms, ZoneOffset offset) {
        return LocalDateTime.ofEpochSecond(
                Math.floorDiv(ms, 1000L), (int) Math.floorMod(ms, 1000L) * 1_000_000, offset);
    }

    private static long millis(LocalDateTime wall, ZoneOffset offset) {
        return wall.toEpochSecond(offset) * 1000;
    }
}
