package io.orchestrion.runs.policy;

import io.orchestrion.kernel.json.JsonWriter;

import java.math.BigDecimal;

/// What another attempt of a parent would take.
///
/// @param attempts of the parent so far, the one that is on included
/// @param clock whether its run has time left and is wanted
/// @param available what there is to pay it with: of the account for a run, of the reservation for
///     an agent or task
/// @param cost what it takes at the least
public record Another(
        int attempts, int maxAttempts, RunClock clock, BigDecimal available, BigDecimal cost) {
    /// Of an attempt of a run, which reserves anew.
    ///
    /// @param reservation that the attempt needs
    public static Another ofRun(
            int attempts,
            int maxAttempts,
            RunClock clock,
            BigDecimal available,
            BigDecimal reservation,
            PolicySettings settings) {
        return new Another(
                attempts,
                maxAttempts,
                clock,
                available,
                reservation.max(settings.attemptCredits()));
    }

    void write(JsonWriter out) {
        out.integer("attempt", attempts)
                .integer("max_attempts", maxAttempts)
                .text("run", clock.word())
                .number("available", available)
                .number("cost", cost);
    }
}
