package io.orchestrion.kernel.bulk;

import java.util.Locale;

/// What is done to each item.
public enum BulkAction {
    CANCEL,
    REQUEUE,
    PURGE;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    public static BulkAction of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
