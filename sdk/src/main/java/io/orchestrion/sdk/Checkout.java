package io.orchestrion.sdk;

import java.math.BigDecimal;
import java.util.UUID;

/// A purchase that a human has to approve now.
///
/// @param approvalUrl where; an agent cannot do it
/// @param provider who takes the money; `local` takes none
/// @param note the same in words
public record Checkout(
        UUID purchaseId,
        String approvalUrl,
        String plan,
        BigDecimal amount,
        String currency,
        String provider,
        String note) {}
