package io.orchestrion.server.limits;

import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.BodyFault;
import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.InvalidBody;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.Values;
import io.orchestrion.kernel.plan.Plan;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.limits.RateLimit.Share;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The plans and limits of a server: the published ones, changed by what its operator's file says.
///
/// The file is JSON: `plans` changes a plan of the same id field by field or adds a whole one,
/// `limits` gives other numbers by the names of the limits.
public record Offer(Plans plans, RateLimits limits) {
    private static final ObjectSpec PLAN =
            ObjectSpec.named("Plan")
                    .required(text("id").length(1, 40).pattern("^[a-z][a-z0-9_-]*$"))
                    .optional(text("name").length(1, 100))
                    .optional(number("priceUsd").range("0", "100000"))
                    .optional(integer("maxWorkers").range(1, 1_000_000))
                    .optional(integer("maxTasksPerMonth").range(1, 1_000_000_000))
                    .optional(integer("maxClaimsPerHour").range(1, 10_000_000))
                    .optional(integer("maxCreatesPerHour").range(1, 10_000_000))
                    .optional(integer("retentionDays").range(1, 36_500))
                    .optional(bool("purchasable"));

    private static ObjectSpec file(RateLimits published) {
        return ObjectSpec.named("Offer")
                .optional(objects("plans", PLAN))
                .optional(object("limits", limitsSpec(published)));
    }

    private static ObjectSpec limitsSpec(RateLimits published) {
        var spec = ObjectSpec.named("Limits");
        var fromPlan = new ArrayList<String>();
        for (RateLimit limit : published.all()) {
            if (limit.share() == Share.CREATES || limit.share() == Share.CLAIM_REQUESTS) {
                fromPlan.add(limit.name());
            } else {
                spec.optional(integer(limit.name()).range(1, 1_000_000_000));
            }
        }
        return spec.refuse(fromPlan, "comes from the plan: change it there");
    }

    /// The file has something in it that is not allowed; the message names the place.
    public static final class Unreadable extends Exception {
        private static final long serialVersionUID = 1;

        Unreadable(String message) {
            super(message);
        }
    }

    /// @param published the limits that the file changes
    public static Offer read(byte[] file, RateLimits published) throws Unreadable {
        Values values;
        try {
            values = file(published).read(file);
        } catch (InvalidBody e) {
            throw new Unreadable(
                    String.join(" ", e.faults().stream().map(BodyFault::message).toList()));
        }
        var changed = new ArrayList<Plan>();
        if (values.has("plans")) {
            for (Values plan : values.objects("plans")) {
                changed.add(plan(plan));
            }
        }
        return new Offer(Plans.PUBLISHED.with(changed), published.with(limits(values, published)));
    }

    private static Map<String, Integer> limits(Values values, RateLimits published) {
        var limits = new LinkedHashMap<String, Integer>();
        Values given = values.objectOrNull("limits");
        if (given != null) {
            for (RateLimit limit : published.all()) {
                if (given.has(limit.name())) {
                    limits.put(limit.name(), given.int32(limit.name()));
                }
            }
        }
        return limits;
    }

    private static Plan plan(Values values) throws Unreadable {
        String id = values.text("id");
        if (id.equals(Plan.UNLIMITED_ID)) {
            throw new Unreadable("plans: " + id + " is the operator's own plan");
        }
        Plan base = base(id, values);
        var plan =
                new Plan(
                        id,
                        values.has("name") ? values.text("name") : base.name(),
                        values.has("priceUsd") ? values.number("priceUsd") : base.priceUsd(),
                        whole(values, "maxWorkers", base.maxWorkers()),
                        whole(values, "maxTasksPerMonth", base.maxTasksPerMonth()),
                        whole(values, "maxClaimsPerHour", base.maxClaimsPerHour()),
                        whole(values, "maxCreatesPerHour", base.maxCreatesPerHour()),
                        whole(values, "retentionDays", base.retentionDays()),
                        values.has("purchasable")
                                ? values.bool("purchasable")
                                : base.purchasable());
        if (plan.priceUsd().stripTrailingZeros().scale() > 2) {
            throw new Unreadable("plans: priceUsd of " + id + " must have at most two decimals");
        }
        if (plan.purchasable() && plan.priceUsd().signum() == 0) {
            throw new Unreadable("plans: " + id + " is for sale, so its priceUsd must not be 0");
        }
        if (id.equals(Plan.FREE_ID) && plan.priceUsd().signum() != 0) {
            throw new Unreadable("plans: the plan free must cost nothing");
        }
        return plan;
    }

    /// The published plan that is changed; a new one must say everything itself.
    private static Plan base(String id, Values values) throws Unreadable {
        for (Plan plan : Plans.PUBLISHED.listed()) {
            if (plan.id().equals(id)) {
                return plan;
            }
        }
        List<String> missing =
                PLAN.fields().stream()
                        .map(Field::name)
                        .filter(field -> !values.has(field))
                        .toList();
        if (!missing.isEmpty()) {
            throw new Unreadable(
                    "plans: " + id + " is a new plan and needs " + String.join(", ", missing));
        }
        return Plan.UNLIMITED;
    }

    private static int whole(Values values, String field, int base) {
        return values.has(field) ? values.int32(field) : base;
    }
}
