package io.orchestrion.sdk;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.time.Instant;

/// What the account was told of a charge that was corrected; from [Credits#notices].
///
/// ```java
/// for (CreditNotice notice : client.credits().notices(null, null).items()) {
///     System.out.println(notice.message());
/// }
/// ```
///
/// @param ledgerEntryId of the entry that gave the credits back
/// @param json everything that the server says of it
public record CreditNotice(
        String ledgerEntryId,
        String runId,
        BigDecimal amount,
        String message,
        Instant createdAt,
        JsonNode json) {}
