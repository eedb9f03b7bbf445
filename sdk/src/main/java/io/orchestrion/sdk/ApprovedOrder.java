package io.orchestrion.sdk;

import java.math.BigDecimal;
import java.util.UUID;

/// An order that the operator of a server without a payment provider has approved.
public record ApprovedOrder(
        String orderId,
        UUID purchaseId,
        String description,
        BigDecimal amount,
        String currency,
        String note) {}
