package io.orchestrion.server.billing;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One line of the ledger.
///
/// @param money what it was about, where it was about money
/// @param reference the provider's own name for it: an order, a capture
public record PaymentEntry(
        UUID purchaseId,
        long atMs,
        PurchaseEvent event,
        @Nullable Money money,
        @Nullable String reference,
        @Nullable String detail) {}
