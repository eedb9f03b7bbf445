package io.orchestrion.kernel.bulk;

import java.util.Locale;

/// How an operation stands.
public enum BulkState {
    RUNNING,
    FINISHED,
    CANCELLED,
    /// It could not go on; what was done stays done.
    FAILED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static BulkState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
