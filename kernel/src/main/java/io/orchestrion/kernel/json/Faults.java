package io.orchestrion.kernel.json;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;

/// Collects what is wrong while a body is read.
final class Faults {
    /// A body of a thousand bad fields needs no thousand sentences.
    private static final int KEPT_MAX = 20;

    private final List<BodyFault> found = new ArrayList<>();

    /// Adds `path` + `rest` as the message. Returns null, so that a reader can add and give up in
    /// one statement.
    @Nullable Object add(String path, String rest, @Nullable String bound) {
        if (found.size() < KEPT_MAX) {
            found.add(new BodyFault(path, path + " " + rest, bound));
        }
        return null;
    }

    @Nullable Object add(String path, String rest) {
        return add(path, rest, null);
    }

    void addSentence(String path, String message, String pointer) {
        if (found.size() < KEPT_MAX) {
            found.add(new BodyFault(path, message, null, pointer));
        }
    }

    void throwIfAny() {
        if (!found.isEmpty()) {
            throw new InvalidBody(found);
        }
    }
}
