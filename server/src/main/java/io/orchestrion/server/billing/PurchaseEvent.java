package io.orchestrion.server.billing;

import java.util.Locale;

/// What can happen to a purchase; the words of the ledger.
public enum PurchaseEvent {
    ORDER_CREATED,
    CAPTURE_STARTED,
    /// The provider wants the human again; nothing was captured.
    APPROVAL_MISSING,
    /// It is not known whether the capture was made; the next look will show.
    OUTCOME_UNKNOWN,
    CAPTURE_PENDING,
    CAPTURED,
    ACTIVATED,
    DECLINED,
    ORDER_GONE,
    MISMATCH;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PurchaseEvent of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }
}
