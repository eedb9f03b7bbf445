package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

import java.math.BigDecimal;

/// Everything that the decision about a failed attempt of a step rests on.
///
/// @param attempts of the step in this attempt of its task, this one included
/// @param creditsLeft of the run's reservation; what is held for other steps is counted, because
///     it may come back
/// @param nextCost what the next attempt may cost
/// @param failedMs when the attempt ended
/// @param nowMs when the decision is made, which is later where the run was paused in between
public record StepFailure(
        Failure failure,
        int attempts,
        int maxAttempts,
        RunClock clock,
        BigDecimal creditsLeft,
        BigDecimal nextCost,
        ErrorWindow window,
        long failedMs,
        long nowMs) {
    public String json(PolicySettings settings) {
        return JsonWriter.objectText(
                out ->
                        out.object("error", failure::write)
                                .integer("attempt", attempts)
                                .integer("max_attempts", maxAttempts)
                                .text("run", clock.word())
                                .number("credits_left", creditsLeft)
                                .number("next_cost", nextCost)
                                .object("window", window::write)
                                .instant("failed_at", failedMs)
                                .instant("now", nowMs)
                                .object("thresholds", settings::write));
    }
}
