package io.orchestrion.kernel.schedule;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What becomes of a fire while an earlier task of the schedule is still open.
public enum Overlap {
    /// It makes its task all the same.
    ALLOW,
    /// It makes none.
    SKIP,
    /// The earlier task is cancelled; when somebody holds it, it is left alone and no new one made.
    CANCEL_PREVIOUS,
    /// It waits for the earlier task to end; one at a time, others make none.
    BUFFER_ONE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Overlap of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Overlap::word).toList();
    }
}
