package io.orchestrion.server.json;

import java.time.LocalDate;

/// Formats milliseconds since 1970 as ISO 8601 in UTC, always with three decimals. Every answer
/// holds several moments, and this costs a fraction of a DateTimeFormatter.
final class IsoMillis {
    private static final long DAY_MILLIS = 86_400_000;

    private IsoMillis() {}

    static String format(long epochMillis) {
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(epochMillis, DAY_MILLIS));
        int millis = (int) Math.floorMod(epochMillis, DAY_MILLIS);
        var out = new StringBuilder(24);
        digits(out, day.getYear(), 4);
        digits(out.append('-'), day.getMonthValue(), 2);
        digits(out.append('-'), day.getDayOfMonth(), 2);
        digits(out.append('T'), millis / 3_600_000, 2);
        digits(out.append(':'), millis / 60_000 % 60, 2);
        digits(out.append(':'), millis / 1000 % 60, 2);
        digits(out.append('.'), millis % 1000, 3);
        return out.append('Z').toString();
    }

    private static void digits(StringBuilder out, int value, int width) {
        String digits = Integer.toString(value);
        out.repeat('0', Math.max(0, width - digits.length())).append(digits);
    }
}
