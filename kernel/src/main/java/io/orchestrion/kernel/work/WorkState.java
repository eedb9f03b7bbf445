package io.orchestrion.kernel.work;

import java.util.List;
import java.util.Locale;

/// The states of a work item. The CHECK of the table has the same words.
public enum WorkState {
    /// Not claimable until something happens; the [WaitReason] says what.
    WAITING,
    /// Claimable.
    READY,
    /// Held, not started.
    LEASED,
    /// Held and started.
    RUNNING,
    SUCCEEDED,
    /// Ended badly, and no retry follows by itself.
    FAILED,
    /// Every attempt is used up.
    DEAD,
    CANCELLED;

    private static final List<WorkState> VALUES = List.of(values());

    private final String word = name().toLowerCase(Locale.ROOT);

    public boolean held() {
        return this == LEASED || this == RUNNING;
    }

    public boolean ended() {
        return ordinal() >= SUCCEEDED.ordinal();
    }

    /// The word for it in the table.
    public String word() {
        return word;
    }

    /// Compares with each word: there are few, and this runs for every row that is read.
    public static WorkState of(String word) {
        for (WorkState state : VALUES) {
            if (state.word.equals(word)) {
                return state;
            }
        }
        throw new IllegalArgumentException("no state " + word);
    }
}
