package io.orchestrion.server.tasks;

import io.orchestrion.kernel.dependency.DependencyOrder;
import io.orchestrion.kernel.json.Values;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.TreeMap;

/// How the items of one batch refer to each other, by `ref` and `dependsOnRefs`.
///
/// @param layers places in the order of making: each item is in a later layer than those it names
/// @param faults why an item cannot be made, by place
record BatchRefs(
        List<List<Integer>> layers,
        Map<Integer, String> faults,
        Map<Integer, List<Integer>> parents) {

    private static final String REF = "ref";
    private static final String REFS = "dependsOnRefs";

    List<Integer> parentsOf(int place) {
        return parents.getOrDefault(place, List.of());
    }

    static BatchRefs of(TreeMap<Integer, Values> bodies) {
        var places = new HashMap<String, Integer>();
        var faults = new TreeMap<Integer, String>();
        bodies.forEach(
                (place, body) -> {
                    String ref = body.has(REF) ? body.textOrNull(REF) : null;
                    if (ref != null && places.putIfAbsent(ref, place) != null) {
                        faults.put(place, "ref must be the only one of its name in the batch");
                    }
                });
        var parents = new LinkedHashMap<Integer, List<Integer>>();
        bodies.forEach(
                (place, body) -> {
                    if (!faults.containsKey(place)) {
                        parents.put(place, named(place, body, places, faults));
                    }
                });
        parents.keySet().removeAll(faults.keySet());
        return ordered(parents, faults);
    }

    private static List<Integer> named(
            int place, Values body, Map<String, Integer> places, Map<Integer, String> faults) {
        if (!body.has(REFS)) {
            return List.of();
        }
        var named = new ArrayList<Integer>();
        for (String ref : body.texts(REFS)) {
            Integer parent = places.get(ref);
            if (parent == null) {
                faults.put(place, REFS + " names \"" + ref + "\", which no item of the batch has");
            } else {
                named.add(parent);
            }
        }
        return named;
    }

    /// Rings are taken out one by one until the rest can be put in order.
    private static BatchRefs ordered(
            SequencedMap<Integer, List<Integer>> parents, Map<Integer, String> faults) {
        while (true) {
            switch (DependencyOrder.of(parents)) {
                case DependencyOrder.Ordered<Integer>(var order) -> {
                    return new BatchRefs(layered(order, parents), faults, parents);
                }
                case DependencyOrder.Cycle<Integer>(var ring) -> {
                    for (int place : ring) {
                        faults.put(place, REFS + " makes a cycle of the items " + ring);
                        parents.remove(place);
                    }
                }
            }
        }
    }

    private static List<List<Integer>> layered(
            List<Integer> order, Map<Integer, List<Integer>> parents) {
        var depths = new HashMap<Integer, Integer>();
        var layers = new TreeMap<Integer, List<Integer>>();
        for (int place : order) {
            int depth =
                    parents.getOrDefault(place, List.of()).stream()
                            .mapToInt(parent -> depths.getOrDefault(parent, 0) + 1)
                            .max()
                            .orElse(0);
            depths.put(place, depth);
            layers.computeIfAbsent(depth, _ -> new ArrayList<>()).add(place);
        }
        return List.copyOf(layers.values());
    }
}
