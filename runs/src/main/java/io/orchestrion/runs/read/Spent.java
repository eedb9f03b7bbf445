package io.orchestrion.runs.read;

import java.math.BigDecimal;

/// What an agent, a task or a step has used so far, with all its attempts.
///
/// @param tokens that workers reported
/// @param charged credits
public record Spent(long tokens, BigDecimal charged) {
    /// Of what has used nothing.
    public static final Spent NOTHING = new Spent(0, BigDecimal.ZERO);
}
