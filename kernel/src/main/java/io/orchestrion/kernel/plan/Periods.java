package io.orchestrion.kernel.plan;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;

/// What a purchase does to the periods of an account. Each purchase adds thirty days at the end, so
/// the account falls back to the free plan at max(now, old end) + 30 days. Within that time the
/// highest tier comes first: a higher tier is in force at once, a lower one after it. So nobody can
/// turn a year of the cheap plan into a year of the expensive one.
public final class Periods {
    private Periods() {}

    /// The periods after the purchase: the past as it was, the rest laid out anew.
    public static List<Period> afterPurchase(
            List<Period> periods, String planId, Plans plans, long nowMs) {
        var after = new ArrayList<Period>();
        var left = new LinkedHashMap<String, Long>();
        for (Period period : periods) {
            if (period.fromMs() < nowMs) {
                after.add(
                        new Period(
                                period.planId(),
                                period.fromMs(),
                                Math.min(period.untilMs(), nowMs)));
            }
            long rest = period.untilMs() - Math.max(period.fromMs(), nowMs);
            if (rest > 0) {
                left.merge(period.planId(), rest, Long::sum);
            }
        }
        left.merge(planId, Plan.PERIOD.toMillis(), Long::sum);
        List<String> highestFirst =
                left.keySet().stream()
                        .sorted(Comparator.comparingInt(plans::rank).reversed())
                        .toList();
        long from = nowMs;
        for (String plan : highestFirst) {
            long until = from + left.getOrDefault(plan, 0L);
            after.add(new Period(plan, from, until));
            from = until;
        }
        return joined(after);
    }

    /// Neighbours of one plan as one period.
    private static List<Period> joined(List<Period> periods) {
        var joined = new ArrayList<Period>();
        for (Period period : periods) {
            Period last = joined.isEmpty() ? null : joined.getLast();
            if (last != null
                    && last.untilMs() == period.fromMs()
                    && last.planId().equals(period.planId())) {
                joined.removeLast();
                joined.add(new Period(last.planId(), last.fromMs(), period.untilMs()));
            } else {
                joined.add(period);
            }
        }
        return joined;
    }
}
