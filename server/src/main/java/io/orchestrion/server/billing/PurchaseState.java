package io.orchestrion.server.billing;

import java.util.Locale;

/// Where a purchase stands.
public enum PurchaseState {
    /// The order is made, and a human has to approve it.
    CREATED,
    /// A capture was begun, and its outcome is not stored yet.
    CAPTURING,
    /// The capture was made, and the money has not arrived.
    PENDING,
    /// Paid, and the plan is the account's.
    ACTIVATED,
    /// There will be no money for it.
    FAILED,
    /// Another amount than the price: a person has to look at it.
    MISMATCHED;

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static PurchaseState of(String word) {
        return valueOf(word.toUpperCase(Locale.ROOT));
    }

    /// Nothing happens to it any more.
    public boolean settled() {
        return this == ACTIVATED || this == FAILED || this == MISMATCHED;
    }
}
