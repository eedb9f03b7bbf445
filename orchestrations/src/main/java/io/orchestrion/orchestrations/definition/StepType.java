package io.orchestrion.orchestrations.definition;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// What kind of work a step is.
public enum StepType {
    /// Done by a worker that claims it, or by a function of the server.
    TASK,

    /// Chooses the next step by conditions.
    DECISION,

    /// Lets time pass.
    WAIT,

    /// One HTTP request by the server.
    EXTERNAL_CALL,

    /// One message by the server, sent once.
    NOTIFY,

    /// Waits for a person.
    HUMAN_APPROVAL;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// As a definition says it.
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(StepType::word).toList();
    }

    public static Optional<StepType> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
