package io.orchestrion.runs.check;

import java.math.BigDecimal;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// An attempt of a run of which the ledger says something odd.
///
/// @param charged the sum of its charges that were not given back
/// @param metered what its steps used
public record Anomaly(
        UUID account,
        UUID run,
        int attempt,
        List<Kind> kinds,
        BigDecimal charged,
        BigDecimal metered) {

    /// What is odd.
    public enum Kind {
        /// More than one charge that was not given back.
        SEVERAL_CHARGES,
        /// The attempt is over, and its charge is not what its steps used.
        CHARGE_DIFFERS,
        /// The attempt is over, its steps used something, and nothing was ever charged.
        CHARGE_MISSING,
        /// The attempt is over, and a part of its reservation was neither charged nor given back.
        RESERVATION_LEFT;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Kind of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }
    }
}
