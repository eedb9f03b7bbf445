package io.orchestrion.kernel.work;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// What a claim got, best first, and the time of the lease; empty when there was nothing.
///
/// @param refusal why the claim was refused before anything was looked for, else null
/// @param repeated whether these are the leases of an earlier claim with the same key
public record Claimed(
        List<WorkView> items, long nowMs, @Nullable Refusal refusal, boolean repeated) {

    public static Claimed of(List<WorkView> items, long nowMs) {
        return new Claimed(items, nowMs, null, false);
    }

    public static Claimed refused(Refusal refusal, long nowMs) {
        return new Claimed(List.of(), nowMs, refusal, false);
    }
}
