package io.orchestrion.runs.run;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Who plans a run.
public enum PlannerMode {
    /// The caller, who has sent the plan along.
    STATIC,

    /// A worker that claims the planning step.
    CLAIM,

    /// A worker inside this server that asks an LLM.
    OPENAI;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(PlannerMode::word).toList();
    }

    public static Optional<PlannerMode> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
