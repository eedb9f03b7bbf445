package io.orchestrion.kernel.identity;

import java.util.Locale;

/// What a key may be used for within its account.
public enum Scope {
    PRODUCER,
    WORKER,
    OPERATOR,
    ADMIN;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static Scope of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
