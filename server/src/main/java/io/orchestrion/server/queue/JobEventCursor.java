package io.orchestrion.server.queue;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.Base64;

/// A place in the log of a job: behind everything up to a time. Events of one job have no time in
/// common and appear in the order of their times, so that nothing is lost behind it.
final class JobEventCursor {
    /// Before everything.
    static final long START = -1;

    private static final String VERSION = "e1:";

    private JobEventCursor() {}

    static String of(long createdMs) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((VERSION + createdMs).getBytes(StandardCharsets.US_ASCII));
    }

    /// Reads an opaque cursor or the time of an event; null for what is neither.
    static @Nullable Long read(String text) {
        Long cursor = cursor(text);
        return cursor == null ? time(text) : cursor;
    }

    private static @Nullable Long cursor(String text) {
        try {
            String plain =
                    new String(Base64.getUrlDecoder().decode(text), StandardCharsets.US_ASCII);
            Long place =
                    plain.startsWith(VERSION)
                            ? Long.valueOf(plain.substring(VERSION.length()))
                            : null;
            return place != null && of(place).equals(text) ? place : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Finer than a millisecond is rounded down: what was written in that millisecond is not later.
    private static @Nullable Long time(String text) {
        try {
            OffsetDateTime time = OffsetDateTime.parse(text);
            return time.getYear() < 1 || time.getYear() > 9999
                    ? null
                    : Long.valueOf(time.toInstant().toEpochMilli());
        } catch (DateTimeException e) {
            return null;
        }
    }
}
