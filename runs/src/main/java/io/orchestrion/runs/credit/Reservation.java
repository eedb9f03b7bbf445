package io.orchestrion.runs.credit;

import java.math.BigDecimal;

/// What came of reserving credits for an attempt of a run.
public sealed interface Reservation {
    /// @param entry the first one, where it was asked again
    record Reserved(Entry entry) implements Reservation {}

    /// Nothing was changed.
    record Insufficient(BigDecimal needed, BigDecimal available) implements Reservation {}
}
