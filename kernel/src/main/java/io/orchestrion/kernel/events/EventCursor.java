package io.orchestrion.kernel.events;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.UUID;

/// A place in an account's log: after one event and before the next.
///
/// @param position that the row of the log with the event was given
/// @param workId with `seq`, which of the events of that row
public record EventCursor(long position, UUID workId, int seq) {
    private static final byte FORM = 1;
    private static final int BYTES = 1 + Long.BYTES + 2 * Long.BYTES + Integer.BYTES;
    private static final UUID LEAST = new UUID(0, 0);

    /// Before all events.
    public static final EventCursor START = new EventCursor(0, LEAST, 0);

    /// Before all events whose positions are above the given one.
    static EventCursor above(long position) {
        return new EventCursor(position + 1, LEAST, 0);
    }

    /// The place itself, or the end of the log where that comes first: a place beyond the end is of
    /// data that a restore or a failover lost.
    static EventCursor notBeyond(EventCursor place, long last) {
        return place.position > last + 1 ? above(last) : place;
    }

    /// The form for the outside, which need not be understood there.
    public String text() {
        byte[] bytes =
                ByteBuffer.allocate(BYTES)
                        .put(FORM)
                        .putLong(position)
                        .putLong(workId.getMostSignificantBits())
                        .putLong(workId.getLeastSignificantBits())
                        .putInt(seq)
                        .array();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    /// Null for a text that is no cursor.
    public static @Nullable EventCursor read(String text) {
        byte[] bytes;
        try {
            bytes = Base64.getUrlDecoder().decode(text);
        } catch (IllegalArgumentException e) {
            return null;
        }
        if (bytes.length != BYTES || bytes[0] != FORM) {
            return null;
        }
        var in = ByteBuffer.wrap(bytes, 1, BYTES - 1);
        var cursor =
                new EventCursor(in.getLong(), new UUID(in.getLong(), in.getLong()), in.getInt());
        return cursor.position < 0 || cursor.seq < 0 || !cursor.text().equals(text) ? null : cursor;
    }
}
