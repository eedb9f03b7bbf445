package io.orchestrion.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;

/// Times as people read them: in their zone, and how far away.
record Times(ZoneId zone, Instant now) {
    private static final DateTimeFormatter LOCAL =
            DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss");

    /// `2030-01-31 08:30:00 (in 4m 59s)`.
    String full(Instant at) {
        return LOCAL.format(at.atZone(zone)) + " (" + relative(at) + ")";
    }

    /// `in 4m 59s`, `3h 2m ago`.
    String relative(Instant at) {
        long seconds = Duration.between(now, at).toSeconds();
        if (seconds == 0) {
            return "now";
        }
        return seconds > 0 ? "in " + length(seconds) : length(-seconds) + " ago";
    }

    /// The two largest units, which is as exact as anybody reads.
    static String length(long seconds) {
        long days = seconds / 86_400;
        long hours = seconds / 3_600 % 24;
        long minutes = seconds / 60 % 60;
        if (days > 0) {
            return days + "d " + hours + "h";
        }
        if (hours > 0) {
            return hours + "h " + minutes + "m";
        }
        return minutes > 0 ? minutes + "m " + seconds % 60 + "s" : seconds + "s";
    }

    /// A time with an offset, or without one in the local zone.
    Instant parsed(String text) throws DateTimeParseException {
        try {
            return OffsetDateTime.parse(text).toInstant();
        } catch (DateTimeParseException e) {
            return LocalDateTime.parse(text).atZone(zone).toInstant();
        }
    }
}
