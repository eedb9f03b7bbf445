package io.orchestrion.runs.credit;

import io.orchestrion.runs.id.PublicId;

import java.math.BigDecimal;
import java.util.UUID;

/// What an account was told about a correction of its credits.
///
/// @param entry the reversal
public record Notice(UUID entry, UUID run, BigDecimal amount, String message, long createdMs) {
    /// What is told of a charge that was given back.
    static Notice of(Entry reversal) {
        Entry.Of attempt = reversal.attempt();
        if (attempt == null) {
            throw new IllegalArgumentException("only charges of runs are given back");
        }
        UUID run = attempt.run();
        return new Notice(
                reversal.id(),
                run,
                reversal.amount(),
                "We detected a duplicate charge and have refunded "
                        + reversal.amount().stripTrailingZeros().toPlainString()
                        + " credits of "
                        + PublicId.RUN.of(run)
                        + ".",
                reversal.createdMs());
    }
}
