package io.orchestrion.runs.policy;

import java.util.Locale;

/// Whether a run has time left, and is still wanted.
public enum RunClock {
    OPEN,
    CANCELLED,
    /// Its time is over.
    TIMED_OUT;

    String word() {
        return name().toLowerCase(Locale.ROOT);
    }
}
