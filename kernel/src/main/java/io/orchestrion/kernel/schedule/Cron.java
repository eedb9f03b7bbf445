package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.LocalTime;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// A cron expression of five fields, as a set of minutes on the wall clock. What a time zone makes
/// of them is in [CronTimes].
///
/// Each field is a bit set, so that the next minute is found by counting zeros: a year of missed
/// minutes is gone through in a moment. The libraries at hand cost a millisecond for each, and skip
/// what falls into the hour that spring takes away.
final class Cron {
    private static final Map<String, String> SHORT =
            Map.of(
                    "@hourly", "0 * * * *",
                    "@daily", "0 0 * * *",
                    "@weekly", "0 0 * * 0",
                    "@monthly", "0 0 1 * *");
    private static final List<String> MONTHS =
            List.of(
                    "JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV",
                    "DEC");
    private static final List<String> WEEKDAYS =
            List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

    /// No date comes later than that: February 29 can be eight years away.
    private static final int YEARS_MAX = 9;

    private static final long EVERY_HOUR = (1L << 24) - 1;

    private enum Part {
        MINUTE("minute", 0, 59, List.of()),
        HOUR("hour", 0, 23, List.of()),
        DAY("day of month", 1, 31, List.of()),
        MONTH("month", 1, 12, MONTHS),
        // 7 is Sunday as well as 0.
        WEEKDAY("day of week", 0, 7, WEEKDAYS);

        private final String words;
        private final int min;
        private final int max;
        private final List<String> names;

        Part(String words, int min, int max, List<String> names) {
            this.words = words;
            this.min = min;
            this.max = max;
            this.names = names;
        }
    }

    private final long minutes;
    private final long hours;
    private final long days;
    private final long months;
    private final long weekdays;
    private final boolean eitherDay;

    private Cron(String[] fields) {
        minutes = read(Part.MINUTE, fields[0]);
        hours = read(Part.HOUR, fields[1]);
        days = read(Part.DAY, fields[2]);
        months = read(Part.MONTH, fields[3]);
        long week = read(Part.WEEKDAY, fields[4]);
        weekdays = (week | week >>> 7) & 0x7f;
        // As in every cron: if both days are restricted, either of them is enough.
        eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
    }

    static Cron parse(String text) {
        String full = SHORT.getOrDefault(text, text);
        if (full.startsWith("@")) {
            throw new InvalidTiming(
                    "cron",
                    "must be one of @hourly, @daily, @weekly, @monthly, or five fields; was "
                            + text);
        }
        String[] fields = full.strip().split("[ \\t]+");
        if (fields.length != 5) {
            throw new InvalidTiming(
                    "cron",
                    "must have 5 fields (minute, hour, day of month, month, day of week), has "
                            + fields.length);
        }
        return new Cron(fields);
    }

    private static long read(Part part, String field) {
        long bits = 0;
        for (String item : field.split(",", -1)) {
            bits |= readItem(part, item);
        }
        return bits;
    }

    private static long readItem(Part part, String item) {
        int slash = item.indexOf('/');
        String range = slash < 0 ? item : item.substring(0, slash);
        int step = slash < 0 ? 1 : step(part, item, item.substring(slash + 1));
        int dash = range.indexOf('-');
        int from;
        int to;
        if (range.equals("*")) {
            from = part.min;
            to = part == Part.WEEKDAY ? 6 : part.max;
        } else if (dash > 0) {
            from = value(part, item, range.substring(0, dash));
            to = value(part, item, range.substring(dash + 1));
            if (from > to) {
                throw wrong(part, item, "a range must not run backwards");
            }
        } else {
            from = value(part, item, range);
            to = from;
            if (slash >= 0) {
                throw wrong(part, item, "a step needs * or a range before it");
            }
        }
        long bits = 0;
        for (int value = from; value <= to; value += step) {
            bits |= 1L << value;
        }
        return bits;
    }

    private static int step(Part part, String item, String text) {
        int step = number(text);
        if (step < 1 || step > part.max) {
            throw wrong(part, item, "a step must be from 1 to " + part.max);
        }
        return step;
    }

    private static int value(Part part, String item, String text) {
        int named = part.names.indexOf(text.toUpperCase(Locale.ROOT));
        int value = named >= 0 ? named + part.min : number(text);
        if (value < part.min || value > part.max) {
            throw wrong(
                    part,
                    item,
                    "must be from "
                            + part.min
                            + " to "
                            + part.max
                            + (part.names.isEmpty() ? "" : " or a name such as " + name(part)));
        }
        return value;
    }

    private static String name(Part part) {
        return part.names.getFirst();
    }

    /// A small number without a sign, or -1.
    private static int number(String text) {
        boolean digits =
                !text.isEmpty()
                        && text.length() <= 4
                        && text.chars().allMatch(c -> c >= '0' && c <= '9');
        return digits ? Integer.parseInt(text) : -1;
    }

    private static InvalidTiming wrong(Part part, String item, String message) {
        return new InvalidTiming(
                "cron", "has a bad " + part.words + " \"" + item + "\": " + message);
    }

    /// Whether it names every hour, so that it goes by elapsed time and not by the hour it is.
    boolean everyHour() {
        return hours == EVERY_HOUR;
    }

    /// The first of its minutes that is not before the given time, or null when none comes within
    /// years.
    @Nullable LocalDateTime firstFrom(LocalDateTime from) {
        LocalDate last = from.toLocalDate().plusYears(YEARS_MAX);
        LocalDate date = from.toLocalDate();
        LocalTime time = from.toLocalTime();
        while (date.isBefore(last)) {
            if ((months & 1L << date.getMonthValue()) == 0) {
                date = date.withDayOfMonth(1).plusMonths(1);
            } else {
                LocalTime found = dayFits(date) ? firstIn(time) : null;
                if (found != null) {
                    return date.atTime(found);
                }
                date = date.plusDays(1);
            }
            time = LocalTime.MIDNIGHT;
        }
        return null;
    }

    private boolean dayFits(LocalDate date) {
        boolean day = (days & 1L << date.getDayOfMonth()) != 0;
        boolean weekday = (weekdays & 1L << date.getDayOfWeek().getValue() % 7) != 0;
        return eitherDay ? day || weekday : day && weekday;
    }

    private @Nullable LocalTime firstIn(LocalTime from) {
        // A minute that has begun is over.
        boolean begun = from.getSecond() > 0 || from.getNano() > 0;
        int minute = next(minutes, from.getMinute() + (begun ? 1 : 0));
        if (minute >= 0 && (hours & 1L << from.getHour()) != 0) {
            return LocalTime.of(from.getHour(), minute);
        }
        int hour = next(hours, from.getHour() + 1);
        return hour < 0 ? null : LocalTime.of(hour, next(minutes, 0));
    }

    /// The lowest bit from the given place on, or -1.
    private static int next(long bits, int from) {
        long left = bits & -1L << from;
        return left == 0 || from > 63 ? -1 : Long.numberOfTrailingZeros(left);
    }
}
