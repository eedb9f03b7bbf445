package io.orchestrion.sdk;

import java.math.BigDecimal;
import java.util.UUID;

/// A purchase that a human has to approve; from [Billing#checkout].
///
/// @param approvalUrl the page where a human approves; a program cannot do it
/// @param provider the payment provider; `local` takes no money
/// @param note what to do next, in words
public record Checkout(
        UUID purchaseId,
        String approvalUrl,
        String plan,
        BigDecimal amount,
        String currency,
        String provider,
        String note) {}
