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

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static WorkEvent of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
