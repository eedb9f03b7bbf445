package io.orchestrion.orchestrations.model;

import org.jspecify.annotations.Nullable;

/// A dead letter as the model knows it.
///
/// @param of the name of the attempt that it is about
record Letter(
        String step,
        String of,
        String reason,
        String status,
        @Nullable String action,
        @Nullable String compensation) {
    static final String MANUAL = "manual_compensation";

    boolean open() {
        return status.equals("open");
    }

    Letter in(String other) {
        return new Letter(step, of, reason, other, null, compensation);
    }

    Letter compensating(String other, String why, @Nullable String asks) {
        return new Letter(step, of, why, status, asks, other);
    }

    boolean undone() {
        return "done".equals(compensation) || "marked".equals(compensation);
    }

    String text() {
        return "letter " + of + " " + reason + " " + status + " " + action + " " + compensation;
    }
}
