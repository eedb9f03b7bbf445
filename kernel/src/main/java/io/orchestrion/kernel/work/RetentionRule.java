package io.orchestrion.kernel.work;

import io.orchestrion.kernel.plan.Plan;

import org.jspecify.annotations.Nullable;

import java.time.Duration;

/// Says when an item that ends now may be purged; null where time alone never purges it. The answer
/// is stored once, at the end of the item, so that a later change of terms never shortens what was
/// promised.
@FunctionalInterface
public interface RetentionRule {
    /// Tasks are kept as long as the account's plan says, all other items as long as their profile
    /// says.
    RetentionRule BY_PLAN = withUnlimited(null);

    /// As the plan says. Where the unlimited plan says nothing, this duration counts, and without
    /// one the profile's.
    static RetentionRule withUnlimited(@Nullable Duration kept) {
        return (profile, plan, nowMs) -> {
            Duration length = keptFor(profile, plan, kept);
            return length.isZero() ? null : Long.valueOf(nowMs + length.toMillis());
        };
    }

    /// The same with another duration for the items of one profile. With null they are kept without
    /// end.
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
