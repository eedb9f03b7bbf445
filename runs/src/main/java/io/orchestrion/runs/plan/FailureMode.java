package io.orchestrion.runs.plan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/// What a parent does when one of its children has failed for good.
public enum FailureMode {
    /// It fails too, at once.
    FAIL_FAST("fail-fast"),

    /// The child is skipped, and the rest goes on.
    CONTINUE("continue"),

    /// It starts anew while it has attempts left, if the error is one that may go away.
    RETRY("retry");

    private final String word;

    FailureMode(String word) {
        this.word = word;
    }

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(FailureMode::word).toList();
    }

    public static Optional<FailureMode> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
