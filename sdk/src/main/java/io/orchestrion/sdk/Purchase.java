package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.time.Instant;
import java.util.UUID;

/// A purchase and how it stands.
///
/// @param status `created`, `capturing`, `pending`, `activated`, `failed` or `mismatched`
/// @param approvalUrl while a human still has to approve
/// @param failure why it was not paid
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
