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
    /// It was not done by the time until which it was wanted.
    GIVE_UP,
    /// A former holder reported after the end of the item.
    LATE_REPORT,
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
