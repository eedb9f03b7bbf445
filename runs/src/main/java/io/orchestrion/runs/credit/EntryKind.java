package io.orchestrion.runs.credit;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Objects;

/// What an entry of the ledger does. Both kinds of refunds have one type in the ledger.
public enum EntryKind {
    /// A run reserves: less is available.
    RESERVE("reserve", null, 0, 1, 1),
    /// What was reserved is spent.
    CHARGE("charge", null, -1, -1, -1),
    /// What was reserved and not spent is available again.
    RELEASE("refund", "release", 0, -1, -1),
    /// What was spent is given back.
    REVERSAL("refund", "reversal", 1, 0, 0),
    /// Credits come in.
    GRANT("grant", null, 1, 0, 0);

    private final String type;
    private final @Nullable String refundKind;
    private final int toBalance;
    private final int toReserved;
    private final int toHeld;

    EntryKind(String type, @Nullable String refundKind, int toBalance, int toReserved, int toHeld) {
        this.type = type;
        this.refundKind = refundKind;
        this.toBalance = toBalance;
        this.toReserved = toReserved;
        this.toHeld = toHeld;
    }

    /// The word in the ledger.
    public String type() {
        return type;
    }

    public @Nullable String refundKind() {
        return refundKind;
    }

    /// 1 where its amount is added to the balance, -1 where it is taken from it.
    int toBalance() {
        return toBalance;
    }

    int toReserved() {
        return toReserved;
    }

    /// The same for what the attempt of its run has reserved.
    int toHeld() {
        return toHeld;
    }

    /// Whether it changes what the attempt of its run has reserved.
    boolean changesHeld() {
        return toHeld != 0;
    }

    static EntryKind of(String type, @Nullable String refundKind) {
        return Arrays.stream(values())
                .filter(each -> each.type.equals(type))
                .filter(each -> Objects.equals(each.refundKind, refundKind))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no entry " + type));
    }
}
