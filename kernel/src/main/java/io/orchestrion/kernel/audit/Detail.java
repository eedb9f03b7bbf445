package io.orchestrion.kernel.audit;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.Map;

/// A few words and numbers beside an entry, each under a name. Never a secret: entries are shown to
/// others and kept for long.
public final class Detail {
    private final Map<String, String> texts = new LinkedHashMap<>();
    private final Map<String, Long> numbers = new LinkedHashMap<>();

    public static Detail none() {
        return new Detail();
    }

    /// Left out when null.
    public Detail text(String name, @Nullable String value) {
        if (value != null) {
            texts.put(name, value);
        }
        return this;
    }

    public Detail number(String name, long value) {
        numbers.put(name, value);
        return this;
    }

    Map<String, String> texts() {
        return texts;
    }

    Map<String, Long> numbers() {
        return numbers;
    }
}
