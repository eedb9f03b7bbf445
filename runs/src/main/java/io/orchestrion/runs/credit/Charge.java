package io.orchestrion.runs.credit;

import java.math.BigDecimal;

/// What came of charging an attempt of a run.
public sealed interface Charge {
    /// @param entry the first one, where the same key was charged before
    record Charged(Entry entry) implements Charge {}

    /// Nothing was changed: the reservation does not pay for it.
    ///
    /// @param held what is left of the reservation
    record Beyond(BigDecimal held) implements Charge {}
}
