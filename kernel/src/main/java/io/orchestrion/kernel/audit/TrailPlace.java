package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Where an entry stands among all of its account, by time.
///
/// @param source what it was read from
public record TrailPlace(long atMs, int source, UUID id, long seq) {
    private static final UUID LEAST = new UUID(0, 0);
    private static final UUID GREATEST = new UUID(-1, -1);

    /// Before everything of that millisecond.
    static TrailPlace before(long ms) {
        return new TrailPlace(ms, -1, LEAST, 0);
    }

    /// After everything before that millisecond.
    static TrailPlace upTo(long ms) {
        return new TrailPlace(ms - 1, 2, GREATEST, Long.MAX_VALUE);
    }

    public String text() {
        return atMs + ":" + source + ":" + id + ":" + seq;
    }

    /// Null for what is no place.
    public static @Nullable TrailPlace of(String text) {
        String[] parts = text.split(":", -1);
        if (parts.length != 4) {
            return null;
        }
        try {
            var place =
                    new TrailPlace(
                            Long.parseLong(parts[0]),
                            Integer.parseInt(parts[1]),
                            UUID.fromString(parts[2]),
                            Long.parseLong(parts[3]));
            return place.text().equals(text) ? place : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
