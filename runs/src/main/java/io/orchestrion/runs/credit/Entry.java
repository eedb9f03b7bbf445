package io.orchestrion.runs.credit;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.UUID;

/// An entry of the ledger of an account.
///
/// @param seq counts the entries of the account, without gaps
/// @param attempt null for a grant
/// @param key an entry of its kind is written once for it in a run, or in the account for a grant
public record Entry(
        long seq,
        UUID id,
        EntryKind kind,
        @Nullable Of attempt,
        BigDecimal amount,
        String key,
        @Nullable UUID reverses,
        @Nullable String reason,
        long createdMs) {

    /// The attempt of a run that it belongs to.
    public record Of(UUID run, int attempt) {
        /// The key of its only entry of that kind.
        String key(String what) {
            return "run:" + run + ":" + attempt + ":" + what;
        }
    }
}
