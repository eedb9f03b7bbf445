package io.orchestrion.runs.credit;

/// What came of giving a charge back.
public sealed interface Reversal {
    /// @param again whether the charge was given back before; the entry is then the first one
    record Reversed(Entry entry, boolean again) implements Reversal {}

    /// Only charges are given back.
    record NoCharge(Entry entry) implements Reversal {}

    record NoEntry() implements Reversal {}
}
