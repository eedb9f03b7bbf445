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
    /// It was not done by the time that it was given.
    GIVE_UP,
    /// Who had held it reported after its end.
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
