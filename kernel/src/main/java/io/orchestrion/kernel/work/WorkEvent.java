package io.orchestrion.kernel.work;

import java.util.Locale;

/// What happens to an item. The history of an item is a list of these.
public enum WorkEvent {
    SUBMIT,
    PROMOTE,
    LEASE,
    START,
    COMPLETE,
    FAIL,
    EXPIRE,
    TIME_OUT,
    CANCEL,
    /// Its holder is asked to stop.
    ASK_CANCEL,
    REOPEN,
    RETRY,
    HOLD,
    RELEASE;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static WorkEvent of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
