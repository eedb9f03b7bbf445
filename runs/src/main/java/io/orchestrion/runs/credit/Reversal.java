package io.orchestrion.runs.credit;

import java.util.UUID;

/// What came of giving a charge back.
public sealed interface Reversal {
    /// @param again whether the charge was given back before; the entry is then the first one
    record Reversed(UUID account, Entry entry, boolean again) implements Reversal {}

    /// Only charges are given back.
    record NoCharge(Entry entry) implements Reversal {}

    record NoEntry() implements Reversal {}
}
