package io.orchestrion.kernel.work;

import java.util.Locale;

/// What becomes of an item when one that it depends on ends otherwise than well.
public enum IfParentFails {
    /// It is cancelled, and so are those that depend on it.
    CANCEL,
    /// It no longer waits for that one.
    IGNORE,
    /// It waits for somebody to decide.
    HOLD;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static IfParentFails of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
