package io.orchestrion.runs.run;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Which runs are picked up first.
public enum Priority {
    NORMAL("runs.normal", 0),
    HIGH("runs.high_priority", 10);

    private final String word = name().toLowerCase(Locale.ROOT);
    private final String queue;
    private final int ofItems;

    Priority(String queue, int ofItems) {
        this.queue = queue;
        this.ofItems = ofItems;
    }

    public String word() {
        return word;
    }

    /// The name that the contract has for where these runs wait.
    public String queue() {
        return queue;
    }

    /// The kernel's priority of their drivers and of their steps.
    public int ofItems() {
        return ofItems;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(Priority::word).toList();
    }

    public static Optional<Priority> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
