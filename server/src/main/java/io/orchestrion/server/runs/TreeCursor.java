package io.orchestrion.server.runs;

import io.orchestrion.runs.read.RunTree;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Where the next page of a tree begins, opaque to the caller.
final class TreeCursor {
    private static final Pattern FORM =
            Pattern.compile("1:([0-9a-f-]{36}):(-1|[0-9]{1,9}):(-1|[0-9]{1,9})");

    private TreeCursor() {}

    static String of(RunTree.Place place) {
        String text = "1:" + place.agent() + ":" + place.task() + ":" + place.step();
        return Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(text.getBytes(StandardCharsets.US_ASCII));
    }

    /// Null when it is none of ours.
    static RunTree.@Nullable Place read(String cursor) {
        try {
            String text =
                    new String(Base64.getUrlDecoder().decode(cursor), StandardCharsets.US_ASCII);
            Matcher found = FORM.matcher(text);
            return found.matches()
                    ? new RunTree.Place(
                            UUID.fromString(found.group(1)),
                            Integer.parseInt(found.group(2)),
                            Integer.parseInt(found.group(3)))
                    : null;
        } catch (IllegalArgumentException e) {
            return null;
        }
    }
}
