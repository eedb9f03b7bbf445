package io.orchestrion.runs.plan;

import java.util.Arrays;

/// A plan that differs from a good one in some places, and what is found in it.
///
/// @param changes to the usual plan: pairs of a JSON Pointer and what is there then
/// @param found as `code pointer`; empty for a good plan
/// @param shape whether the published schema can say the same
record PlanRow(String[] changes, String found, boolean shape) {
    static PlanRow good(String... changes) {
        return new PlanRow(changes, "", true);
    }

    static PlanRow bad(String found, String... changes) {
        return new PlanRow(changes, found, true);
    }

    /// What a schema cannot express.
    static PlanRow beyond(String found, String... changes) {
        return new PlanRow(changes, found, false);
    }

    @Override
    public String toString() {
        String all = Arrays.toString(changes);
        return found + " " + all.substring(0, Math.min(all.length(), 80));
    }
}
