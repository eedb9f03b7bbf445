package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.List;

/// An attempt of a run of which the ledger says something odd; from [RunAdmin#anomalies].
///
/// ```java
/// for (BillingAnomaly odd : client.runs().admin().anomalies(null).items()) {
///     System.out.println(odd.runId() + " " + odd.kinds() + ": charged " + odd.charged());
/// }
/// ```
///
/// @param charged the sum of the charges that were not reversed
/// @param metered what the steps used that ended
/// @param charges the charges of the attempt
/// @param json everything that the server says of it
public record BillingAnomaly(
        String orgId,
        String runId,
        int attemptNumber,
        List<String> kinds,
        BigDecimal charged,
        BigDecimal metered,
        List<LedgerEntry> charges,
        JsonNode json) {
    public BillingAnomaly {
        kinds = List.copyOf(kinds);
        charges = List.copyOf(charges);
    }
}
