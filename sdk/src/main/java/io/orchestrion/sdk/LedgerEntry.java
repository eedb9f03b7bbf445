package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;

/// One entry of the ledger of credits, which is only ever added to; from [Credits#ledger].
///
/// ```java
/// for (LedgerEntry entry : client.credits().ledger(LedgerQuery.ALL).items()) {
///     System.out.println(entry.sequence() + " " + entry.type() + " " + entry.amount());
/// }
/// ```
///
/// @param sequence counts the entries of the account, without gaps
/// @param type `reserve`, `charge`, `refund` or `grant`
/// @param runId null for a grant
/// @param json everything that the server says of it
public record LedgerEntry(
        String id,
        long sequence,
        String type,
        BigDecimal amount,
        @Nullable String runId,
        Instant createdAt,
        JsonNode json) {
    /// `release` gives back what was not used, `reversal` what was charged by mistake; null for
    /// what is no refund.
    public @Nullable String refundKind() {
        return textOrNull(json, "refund_kind");
    }
}
