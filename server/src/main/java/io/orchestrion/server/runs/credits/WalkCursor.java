package io.orchestrion.server.runs.credits;

import io.orchestrion.runs.check.Anomalies.AttemptPlace;
import io.orchestrion.runs.check.RunsInvariants.Phase;
import io.orchestrion.runs.check.RunsInvariants.Place;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/// Where a walk over the rows of all accounts goes on, opaque to the caller.
final class WalkCursor {
    private static final String SEPARATOR = "/";
    private static final String ATTEMPT = "attempt";

    private WalkCursor() {}

    static String of(Place place) {
        return encoded(
                place.phase().name(),
                place.account().toString(),
                place.id().toString(),
                String.valueOf(place.seq()));
    }

    static String of(AttemptPlace place) {
        return encoded(
                ATTEMPT,
                place.account().toString(),
                place.run().toString(),
                String.valueOf(place.attempt()));
    }

    private static String encoded(String... parts) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(String.join(SEPARATOR, parts).getBytes(StandardCharsets.US_ASCII));
    }

    /// Null when it is none of ours.
    static @Nullable Place place(String cursor) {
        try {
            String[] parts = decoded(cursor);
            return parts.length == 4
                    ? new Place(
                            Phase.valueOf(parts[0]),
                            UUID.fromString(parts[1]),
                            UUID.fromString(parts[2]),
                            Long.parseLong(parts[3]))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    /// Null when it is none of ours.
    static @Nullable AttemptPlace attempt(String cursor) {
        try {
            String[] parts = decoded(cursor);
            return parts.length == 4 && parts[0].equals(ATTEMPT)
                    ? new AttemptPlace(
                            UUID.fromString(parts[1]),
                            UUID.fromString(parts[2]),
                            Integer.parseInt(parts[3]))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }

    private static String[] decoded(String cursor) {
        return new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII)
                .split(SEPARATOR, -1);
    }
}
