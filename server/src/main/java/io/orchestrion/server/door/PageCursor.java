package io.orchestrion.server.door;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;

/// Where the next page begins, opaque to the caller.
public final class PageCursor {
    private static final String VERSION = "1:";

    private PageCursor() {}

    public static String of(UUID last) {
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString((VERSION + last).getBytes(StandardCharsets.US_ASCII));
    }

    /// Null when it is none of ours.
    public static @Nullable UUID read(String cursor) {
        try {
            String text =
                    new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
            UUID last = text.startsWith(VERSION) ? UUID.fromString(text.substring(2)) : null;
            return last != null && of(last).equals(cursor) ? last : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
