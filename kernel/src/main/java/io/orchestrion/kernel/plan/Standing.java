package io.orchestrion.kernel.plan;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// How an account stands: the plan that it falls back to, and the periods that it has paid for.
///
/// @param periods in the order of their time, never overlapping
public record Standing(Plans plans, Plan base, List<Period> periods) {

    public Standing {
        periods = periods.stream().sorted(Comparator.comparingLong(Period::fromMs)).toList();
    }

    /// The plan in force at that moment.
    public Plan at(long nowMs) {
        for (Period period : periods) {
            if (period.covers(nowMs)) {
                return plans.named(period.planId());
            }
        }
        return base;
    }

    /// When the account falls back to its base plan; null when it is there.
    public @Nullable Long expiresMs(long nowMs) {
        return periods.stream()
                .map(Period::untilMs)
                .filter(until -> until > nowMs)
                .max(Long::compare)
                .orElse(null);
    }

    /// The paid plan that ended last, where none is in force.
    public Optional<Plan> lapsed(long nowMs) {
        return expiresMs(nowMs) != null || periods.isEmpty()
                ? Optional.empty()
                : Optional.of(plans.named(periods.getLast().planId()));
    }
}
