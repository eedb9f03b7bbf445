package io.orchestrion.sdk;

import java.math.BigDecimal;
import java.util.UUID;

/// An order that the operator of a server without a payment provider has approved; see
/// [Billing#approve].
///
/// @param orderId the order in the local provider
/// @param purchaseId the purchase that the order pays for
/// @param description what is bought
/// @param amount the price in `currency`
/// @param note what happens next, in words
public record ApprovedOrder(
        String orderId,
        UUID purchaseId,
        String description,
        BigDecimal amount,
        String currency,
        String note) {}
