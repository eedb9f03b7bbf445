package io.orchestrion.kernel.identity;

import java.util.Locale;

/// Something that a key may be used for within its account.
public enum Scope {
    PRODUCER,
    WORKER,
    OPERATOR,
    ADMIN;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static Scope of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
