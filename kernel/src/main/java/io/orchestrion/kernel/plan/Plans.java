package io.orchestrion.kernel.plan;

import java.math.BigDecimal;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The catalogue of plans, cheapest first. Everything that names, sells, shows or enforces a plan
/// reads it here.
public final class Plans {
    /// The contract's four.
    public static final Plans PUBLISHED =
            new Plans(
                    List.of(
                            plan("free", "Free", "0", 2, 200, 120, 120, 7, false),
                            plan("basic", "Basic", "9.99", 10, 5_000, 1_200, 500, 30, true),
                            plan("pro", "Pro", "24.99", 25, 25_000, 4_000, 2_000, 60, true),
                            plan(
                                    "agency", "Agency", "59.99", 50, 150_000, 15_000, 7_500, 90,
                                    true)));

    private final Map<String, Plan> byId = new LinkedHashMap<>();
    private final Plan free;

    private Plans(Collection<Plan> plans) {
        plans.forEach(plan -> byId.put(plan.id(), plan));
        Plan cheapest = byId.get(Plan.FREE_ID);
        if (cheapest == null) {
            throw new IllegalArgumentException("there must be a plan " + Plan.FREE_ID);
        }
        free = cheapest;
        if (byId.containsKey(Plan.UNLIMITED_ID)) {
            throw new IllegalArgumentException(Plan.UNLIMITED_ID + " is the operator's own plan");
        }
    }

    private static Plan plan(
            String id,
            String name,
            String priceUsd,
            int workers,
            int tasks,
            int claims,
            int creates,
            int days,
            boolean purchasable) {
        return new Plan(
                id,
                name,
                new BigDecimal(priceUsd),
                workers,
                tasks,
                claims,
                creates,
                days,
                purchasable);
    }

    /// These plans, with those of the same id replaced and others added at the end.
    public Plans with(List<Plan> changed) {
        var all = new LinkedHashMap<>(byId);
        changed.forEach(plan -> all.put(plan.id(), plan));
        return new Plans(all.values());
    }

    /// The plans that are published; the operator's plan is not among them.
    public List<Plan> listed() {
        return List.copyOf(byId.values());
    }

    public Plan free() {
        return free;
    }

    /// A plan that is stored but no longer in the catalogue counts as free.
    public Plan named(String id) {
        if (id.equals(Plan.UNLIMITED_ID)) {
            return Plan.UNLIMITED;
        }
        return byId.getOrDefault(id, free);
    }

    public boolean sells(String id) {
        Plan plan = byId.get(id);
        return plan != null && plan.purchasable();
    }

    /// A higher tier has a higher number: the place in the catalogue.
    public int rank(String id) {
        return List.copyOf(byId.keySet()).indexOf(id);
    }
}
