package io.orchestrion.orchestrations.execution;

import java.util.Arrays;
import java.util.Set;
import java.util.stream.Collectors;

/// What a `builtin:` handler does to executions, by the same verbs as people's calls.
enum Action {
    START("execution.start"),
    PAUSE("execution.pause"),
    RESUME("execution.resume"),
    CANCEL("execution.cancel");

    /// Their names, as handlers write them behind `builtin:`.
    static final Set<String> NAMES =
            Arrays.stream(values()).map(Action::word).collect(Collectors.toUnmodifiableSet());

    private final String word;

    Action(String word) {
        this.word = word;
    }

    String word() {
        return word;
    }

    static Action of(String word) {
        return Arrays.stream(values())
                .filter(action -> action.word.equals(word))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no function " + word));
    }
}
