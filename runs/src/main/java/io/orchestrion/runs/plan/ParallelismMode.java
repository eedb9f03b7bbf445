package io.orchestrion.runs.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// In which order the children of an agent or a task are worked on.
public enum ParallelismMode {
    /// One after the other, in the order of the plan.
    SEQUENTIAL,

    /// All that the limits allow at once; dependencies are kept.
    PARALLEL,

    /// Each as soon as everything that it depends on has ended well.
    DAG;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ParallelismMode::word).toList();
    }

    public static Optional<ParallelismMode> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
