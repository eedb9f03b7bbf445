package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.Pointers;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/// The names of the children of one parent, and which of them wait for which.
final class Dependencies {
    private static final int SHOWN_MAX = 10;

    private final Fields parent;
    private final String field;
    private final boolean inOrder;
    private final Set<String> earlier;
    private final List<String> names = new ArrayList<>();
    private final List<List<String>> wanted = new ArrayList<>();
    private final Map<String, Integer> numbers = new HashMap<>();

    /// @param earlier names of children that the parent has already
    Dependencies(Fields parent, String field, ParallelismMode parallelism, Set<String> earlier) {
        this.parent = parent;
        this.field = field;
        this.inOrder = parallelism == ParallelismMode.SEQUENTIAL;
        this.earlier = earlier;
    }

    /// The names in the field `dependencies`, each once.
    static List<String> names(Fields fields) {
        if (!fields.has("dependencies")) {
            return List.of();
        }
        JsonNode list = fields.list("dependencies", 0, PlanLimits.DEPENDENCIES);
        var names = new ArrayList<String>();
        var seen = new HashSet<String>();
        for (int i = 0; i < list.size(); i++) {
            JsonNode name = list.get(i);
            if (!name.isString()) {
                fields.wrongType("dependencies", "a list of names");
                return List.of();
            }
            if (!seen.add(name.stringValue())) {
                fields.invalid("dependencies", "names one twice", "Name each once.");
                return List.of();
            }
            names.add(name.stringValue());
        }
        return names;
    }

    void add(String name, List<String> dependencies) {
        int index = names.size();
        names.add(name);
        wanted.add(dependencies);
        // A name that is missing or bad has a finding already.
        if (!name.isEmpty()
                && (earlier.contains(name) || numbers.putIfAbsent(name, index) != null)) {
            parent.findings()
                    .add(
                            PlanCode.DUPLICATE_NAME,
                            at(index) + "/name",
                            "There is another one with the name " + Fields.shown(name) + ".",
                            "Give each a name of its own.");
        }
    }

    void check() {
        var edges = new ArrayList<int[]>();
        for (int i = 0; i < names.size(); i++) {
            edges.add(edges(i));
        }
        List<Integer> cycle = Cycles.first(edges);
        if (!cycle.isEmpty()) {
            cycle(cycle);
        }
    }

    /// The numbers of those that one waits for, without those that have a finding of their own.
    private int[] edges(int index) {
        List<String> dependencies = wanted.get(index);
        var numbered = new ArrayList<Integer>();
        for (int i = 0; i < dependencies.size(); i++) {
            String name = dependencies.get(i);
            String pointer = at(index) + "/dependencies/" + i;
            Integer number = numbers.get(name);
            if (number != null) {
                if (inOrder && number > index) {
                    later(pointer, name);
                } else {
                    numbered.add(number);
                }
            } else if (!earlier.contains(name)) {
                parent.findings()
                        .add(
                                PlanCode.UNKNOWN_DEPENDENCY,
                                pointer,
                                "There is nothing with the name "
                                        + Fields.shown(name)
                                        + " in "
                                        + field
                                        + ".",
                                "Name one of the same list.");
            }
        }
        return numbered.stream().mapToInt(Integer::intValue).toArray();
    }

    private void later(String pointer, String name) {
        parent.findings()
                .add(
                        PlanCode.LATER_DEPENDENCY,
                        pointer,
                        Fields.shown(name)
                                + " comes later, and "
                                + field
                                + " go one after the other.",
                        "Change the order, or set parallelism_mode to dag.");
    }

    private void cycle(List<Integer> cycle) {
        var shown = new ArrayList<String>();
        cycle.stream().limit(SHOWN_MAX).forEach(i -> shown.add(Fields.shown(names.get(i))));
        if (cycle.size() > SHOWN_MAX) {
            shown.add("…");
        }
        shown.add(shown.getFirst());
        parent.findings()
                .add(
                        PlanCode.CYCLE,
                        at(cycle.getFirst()) + "/dependencies",
                        "They wait for each other in a circle: " + String.join(" → ", shown) + ".",
                        "Remove one of the dependencies.");
    }

    private String at(int index) {
        return Pointers.child(parent.at(field), index);
    }
}
