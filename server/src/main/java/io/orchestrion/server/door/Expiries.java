package io.orchestrion.server.door;

import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;

import io.orchestrion.kernel.identity.Keys;
import io.orchestrion.kernel.identity.NewKey;
import io.orchestrion.kernel.json.InstantField;
import io.orchestrion.kernel.json.IntegerField;
import io.orchestrion.kernel.json.Values;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/// The end of a credential that is being made, as every door asks for it: a moment, or a number of
/// days from now.
public final class Expiries {
    public static final String AT = "expiresAt";
    public static final String IN_DAYS = "expiresInDays";

    private Expiries() {}

    public static InstantField at() {
        return instant(AT)
                .doc("When it expires: " + bounds() + " ahead. By default it never expires.");
    }

    public static IntegerField inDays() {
        return integer(IN_DAYS)
                .range(1, Keys.EXPIRY_MAX.toDays())
                .doc("When it expires, counted from now.");
    }

    /// The bound for messages, made from the number that is enforced.
    public static String bounds() {
        return Keys.EXPIRY_MIN.toMinutes() + " minute to " + Keys.EXPIRY_MAX.toDays() + " days";
    }

    /// Why the two fields do not go together; null when they do.
    public static @Nullable String fault(Values body) {
        return body.has(AT) && body.has(IN_DAYS)
                ? AT + " and " + IN_DAYS + " must not both be given"
                : null;
    }

    /// The message for a moment that is out of bounds.
    public static String refused(long nowMs) {
        return AT
                + " must be "
                + bounds()
                + " ahead; the server's time is "
                + Instant.ofEpochMilli(nowMs);
    }

    /// Null when it is not to end.
    public static NewKey.@Nullable Expiry read(Values body) {
        Instant at = body.instantOrNull(AT);
        Long days = body.integerOrNull(IN_DAYS);
        if (at != null) {
            return new NewKey.Expiry.At(at.toEpochMilli());
        }
        return days == null ? null : new NewKey.Expiry.After(Duration.ofDays(days).toMillis());
    }
}
