package io.orchestrion.runs.credit;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.DoubleAdder;

/// The credits that entries of this node have moved since its start, for the metrics. What counts
/// is the ledger; these sums are for curves, so a rounding of the last place does no harm.
public final class Moved {
    private final Map<EntryKind, DoubleAdder> sums = new EnumMap<>(EntryKind.class);

    Moved() {
        for (EntryKind kind : EntryKind.values()) {
            sums.put(kind, new DoubleAdder());
        }
    }

    void add(EntryKind kind, double amount) {
        of(kind).add(amount);
    }

    private DoubleAdder of(EntryKind kind) {
        DoubleAdder sum = sums.get(kind);
        if (sum == null) {
            throw new IllegalStateException("every kind has a sum");
        }
        return sum;
    }

    public double reserved() {
        return of(EntryKind.RESERVE).sum();
    }

    public double charged() {
        return of(EntryKind.CHARGE).sum();
    }

    /// Given back, whether it was reserved or charged before.
    public double refunded() {
        return of(EntryKind.RELEASE).sum() + of(EntryKind.REVERSAL).sum();
    }

    public double granted() {
        return of(EntryKind.GRANT).sum();
    }
}
