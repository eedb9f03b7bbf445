package io.orchestrion.server.billing;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One plan for one period, from its checkout to its activation.
///
/// @param claim the number of the capture begun last
/// @param claimedUntilMs until then one capturer has it to itself
/// @param failure why there will be no money for it
public record Purchase(
        UUID accountId,
        UUID id,
        String planId,
        Money price,
        String provider,
        String orderId,
        String approvalUrl,
        PurchaseState state,
        int claim,
        @Nullable Long claimedUntilMs,
        @Nullable String failure,
        long createdMs,
        @Nullable Long activatedMs) {

    boolean claimed(long nowMs) {
        return claimedUntilMs != null && claimedUntilMs > nowMs;
    }
}
