package io.orchestrion.runs.llm;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How a model is made to answer with JSON. Services differ in what they know. Whatever is asked
/// for, text and calls of tools are both read.
public enum AnswerForm {
    /// By the schema of the answer.
    JSON_SCHEMA,

    /// As any object; the schema is in the prompt.
    JSON_OBJECT,

    /// As the arguments of a tool that has to be called.
    TOOL_CALL;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(AnswerForm::word).toList();
    }

    public static Optional<AnswerForm> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
