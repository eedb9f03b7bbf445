package io.orchestrion.orchestrations.definition;

import org.jspecify.annotations.Nullable;

import java.time.DateTimeException;
import java.time.OffsetDateTime;

/// The moments that steps wait for, as RFC 3339 writes them: date, time and `Z` or an offset.
public final class WaitTimes {
    private static final int LENGTH_MAX = 40;

    private WaitTimes() {}

    /// In epoch milliseconds, never earlier than the text says; null when it is no such moment.
    public static @Nullable Long millis(String text) {
        if (text.length() > LENGTH_MAX) {
            return null;
        }
        try {
            var moment = OffsetDateTime.parse(text).toInstant();
            int year = OffsetDateTime.parse(text).getYear();
            if (year < 1970 || year > 9999) {
                return null;
            }
            long millis = moment.toEpochMilli();
            return moment.getNano() % 1_000_000 == 0 ? millis : millis + 1;
        } catch (DateTimeException e) {
            return null;
        }
    }
}
