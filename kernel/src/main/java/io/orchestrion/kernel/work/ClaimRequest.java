package io.orchestrion.kernel.work;

import io.orchestrion.kernel.combine.OfAccount;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A wish for the next work of one kind.
///
/// @param leaseSeconds where the profile lets the claimer say it
/// @param key null for a claim that cannot be sent again
public record ClaimRequest(
        UUID accountId,
        String queue,
        String kind,
        int count,
        @Nullable String holder,
        @Nullable Integer leaseSeconds,
        @Nullable ClaimKey key)
        implements OfAccount {

    public ClaimRequest(
            UUID accountId,
            String queue,
            String kind,
            int count,
            @Nullable String holder,
            @Nullable Integer leaseSeconds) {
        this(accountId, queue, kind, count, holder, leaseSeconds, null);
    }

    public ClaimRequest {
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1");
        }
    }

    public ClaimRequest atMost(int most) {
        return count <= most
                ? this
                : new ClaimRequest(accountId, queue, kind, most, holder, leaseSeconds, key);
    }
}
