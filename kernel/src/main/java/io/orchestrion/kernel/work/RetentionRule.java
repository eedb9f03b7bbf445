package io.orchestrion.kernel.work;

import io.orchestrion.kernel.plan.Plan;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// When an item that ends now may be purged; null means not by itself. Stamped once, at the end,
/// so that a later change of terms never shortens what was promised.
@FunctionalInterface
public interface RetentionRule {
    /// Tasks as long as the account's plan says, everything else as long as its profile.
    RetentionRule BY_PLAN = withUnlimited(null);

    /// As the plan says; what the unlimited plan leaves open is given here, or by the profile.
    static RetentionRule withUnlimited(@Nullable Duration kept) {
        return (profile, plan, nowMs) -> {
            Duration length = keptFor(profile, plan, kept);
            return length.isZero() ? null : Long.valueOf(nowMs + length.toMillis());
        };
    }

    /// The same with another time for the items of one profile; none at all keeps them.
    default RetentionRule keeping(Profile other, Duration kept) {
        return (profile, plan, nowMs) ->
                !profile.equals(other)
                        ? purgeAfterMs(profile, plan, nowMs)
                        : kept.isZero() ? null : Long.valueOf(nowMs + kept.toMillis());
    }

    private static Duration keptFor(Profile profile, Plan plan, @Nullable Duration unlimited) {
        if (profile.keeping().retention().isZero()) {
            return Duration.ZERO;
        }
        if (profile.keeping().metered() && !plan.unlimited()) {
            return Duration.ofDays(plan.retentionDays());
        }
        return unlimited == null ? profile.keeping().retention() : unlimited;
    }

    /// @param plan the account's, at this moment
    @Nullable Long purgeAfterMs(Profile profile, Plan plan, long nowMs);
}
