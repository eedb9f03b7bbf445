package io.orchestrion.kernel.work;

import java.util.Locale;

/// Why an item is [WorkState#WAITING].
public enum WaitReason {
    /// Its first time has not come.
    SCHEDULE,
    /// It failed and its delay has not passed.
    BACKOFF,
    /// Other items must end first.
    DEPENDENCY,
    /// Somebody holds it back.
    HOLD;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// Whether time alone ends the wait.
    public boolean endsByTime() {
        return this == SCHEDULE || this == BACKOFF;
    }

    public String word() {
        return word;
    }

    public static WaitReason of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
