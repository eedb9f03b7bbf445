package io.orchestrion.kernel.json;

import java.nio.charset.StandardCharsets;
import java.time.LocalDate;

/// Formats milliseconds since 1970 as ISO 8601 in UTC, always with three decimals. Every answer
/// holds several moments, and this costs a fraction of a DateTimeFormatter.
final class IsoMillis {
    private static final long DAY_MILLIS = 86_400_000;
    private static final byte[] FORM =
            "0000-00-00T00:00:00.000Z".getBytes(StandardCharsets.ISO_8859_1);

    private IsoMillis() {}

    static String format(long epochMillis) {
        LocalDate day = LocalDate.ofEpochDay(Math.floorDiv(epochMillis, DAY_MILLIS));
        int millis = (int) Math.floorMod(epochMillis, DAY_MILLIS);
        byte[] out = FORM.clone();
        digits(out, 4, day.getYear() % 10_000);
        digits(out, 7, day.getMonthValue());
        digits(out, 10, day.getDayOfMonth());
        digits(out, 13, millis / 3_600_000);
        digits(out, 16, millis / 60_000 % 60);
        digits(out, 19, millis / 1000 % 60);
        digits(out, 23, millis % 1000);
        String text = new String(out, StandardCharsets.ISO_8859_1);
        // The last hours of 9999 west of Greenwich are in the year 10000 here.
        return day.getYear() > 9999 ? day.getYear() + text.substring(4) : text;
    }

    /// Puts a number before the given place, over the zeros that are there.
    private static void digits(byte[] out, int end, int number) {
        int left = number;
        for (int at = end - 1; left > 0; at--) {
            out[at] = (byte) ('0' + left % 10);
            left /= 10;
        }
    }
}
