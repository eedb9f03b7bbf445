package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/// A purchase of a plan; from [Billing#purchases].
///
/// @param status `created`, `capturing`, `pending`, `activated`, `failed` or `mismatched`
/// @param approvalUrl the page where a human approves it; null once that is done
/// @param failure why it was not paid, or null
public record Purchase(
        UUID id,
        String plan,
        BigDecimal amount,
        String currency,
        String provider,
        String status,
        @Nullable String approvalUrl,
        @Nullable String failure,
        Instant createdAt,
        @Nullable Instant activatedAt) {}
