package io.orchestrion.kernel.work;

import io.orchestrion.kernel.policy.Policy;

/// A worker's wish for the next work that its policy allows.
///
/// @param holder the worker's own name, which its later calls have to name, too
public record PolicyClaim(Policy policy, String holder, int leaseSeconds, int count) {
    public PolicyClaim {
        Profile.Bounds lease = Profiles.QUEUE.lease().seconds();
        if (count < 1) {
            throw new IllegalArgumentException("count must be at least 1");
        }
        if (leaseSeconds < lease.min() || leaseSeconds > lease.max()) {
            throw new IllegalArgumentException(
                    "leaseSeconds must be from " + lease.min() + " to " + lease.max());
        }
        if (holder.isBlank()) {
            throw new IllegalArgumentException("holder must be said");
        }
    }
}
