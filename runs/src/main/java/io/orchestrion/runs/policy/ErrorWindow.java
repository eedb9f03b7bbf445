package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

import org.jspecify.annotations.Nullable;

/// What happened in a run within the last minutes.
///
/// @param errors attempts of steps that have failed, the one that is decided about included
/// @param outcomes attempts of steps that have ended at all
public record ErrorWindow(int errors, int outcomes) {
    public ErrorWindow {
        if (errors < 0 || outcomes < errors) {
            throw new IllegalArgumentException(errors + " errors of " + outcomes + " outcomes");
        }
    }

    /// What ended after this time counts.
    ///
    /// @param clearedMs when people last said how to go on; null when they never did
    public static long sinceMs(long nowMs, @Nullable Long clearedMs, PolicySettings settings) {
        long since = nowMs - settings.windowMs();
        return clearedMs == null ? since : Math.max(since, clearedMs);
    }

    @Nullable EscalationTrigger trigger(PolicySettings settings) {
        if (errors > settings.errors()) {
            return EscalationTrigger.ERROR_COUNT;
        }
        return outcomes >= settings.outcomesLeast() && errors > settings.errorShare() * outcomes
                ? EscalationTrigger.ERROR_RATE
                : null;
    }

    void write(JsonWriter out) {
        out.integer("errors", errors).integer("outcomes", outcomes);
    }
}
