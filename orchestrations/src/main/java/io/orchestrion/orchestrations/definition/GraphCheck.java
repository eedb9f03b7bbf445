package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Findings;
import io.orchestrion.kernel.document.Pointers;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Edge;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Target;
import io.orchestrion.orchestrations.definition.StepDetails.Branch;
import io.orchestrion.orchestrations.definition.StepDetails.Decision;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds what keeps the steps of a document from being one whole: ids that stand twice or nowhere,
/// cycles, and steps that nothing leads to.
final class GraphCheck {
    private static final int SHOWN_MAX = 10;

    private final Definition definition;
    private final Findings findings;
    private final List<StepSpec> steps;
    private final Map<String, Integer> numbers = new HashMap<>();
    private final Ways ways;

    GraphCheck(Definition definition, Findings findings) {
        this.definition = definition;
        this.findings = findings;
        steps = definition.steps();
        for (int i = 0; i < steps.size(); i++) {
            numbers.putIfAbsent(steps.get(i).id(), i);
        }
        ways = new Ways(steps.size());
        for (Edge edge : definition.graph().edges()) {
            Integer to =
                    switch (edge.to()) {
                        case Target.Step(String id) -> numbers.get(id);
                        case Target.End(boolean succeeded) -> succeeded ? steps.size() : null;
                    };
            if (to != null) {
                ways.add(number(edge.from()), to, edge.kind().hasResult());
            }
        }
    }

    void run() {
        ids();
        for (int i = 0; i < steps.size(); i++) {
            targets(steps.get(i), Pointers.child("/steps", i));
        }
        cycles();
        Integer start = numbers.get(definition.startStepId());
        if (start == null) {
            unknown("/start_step_id", definition.startStepId());
            return;
        }
        BitSet reached = ways.from(start, Ways.NONE);
        unreachable(reached);
        new UseCheck(definition, findings, numbers, ways, start, reached).run();
    }

    private int number(String id) {
        return numbers.getOrDefault(id, 0);
    }

    private void ids() {
        for (int i = 0; i < steps.size(); i++) {
            int first = number(steps.get(i).id());
            if (first != i) {
                findings.add(
                        DefinitionCode.DUPLICATE_STEP_ID,
                        Pointers.child("/steps", i) + "/step_id",
                        "Step " + steps.get(i).id() + " is also at /steps/" + first + ".",
                        "Give each step an id of its own.");
            }
        }
    }

    private void targets(StepSpec step, String pointer) {
        target(step.onSuccess(), pointer + "/on_success");
        target(step.onFailure(), pointer + "/on_failure");
        // The same one stands for a field that is not there.
        if (step.onTimeout() != step.onFailure()) {
            target(step.onTimeout(), pointer + "/on_timeout");
        }
        if (step.details() instanceof Decision(List<Branch> branches, Route otherwise)) {
            for (int i = 0; i < branches.size(); i++) {
                target(branches.get(i).next(), pointer + "/branches/" + i + "/next");
            }
            target(otherwise, pointer + "/default");
        }
    }

    private void target(@Nullable Route route, String pointer) {
        if (route instanceof Route.Next(String stepId) && !numbers.containsKey(stepId)) {
            unknown(pointer, stepId);
        }
    }

    private void unknown(String pointer, String stepId) {
        findings.add(
                DefinitionCode.UNKNOWN_STEP,
                pointer,
                "There is no step " + stepId + ".",
                "Name a step of this definition, or add one with that id.");
    }

    private void cycles() {
        for (List<Integer> cycle : ways.cycles()) {
            List<String> ids = new ArrayList<>();
            cycle.stream().limit(SHOWN_MAX).forEach(i -> ids.add(steps.get(i).id()));
            if (cycle.size() > SHOWN_MAX) {
                ids.add("…");
            }
            ids.add(ids.getFirst());
            findings.add(
                    DefinitionCode.CYCLE,
                    Pointers.child("/steps", cycle.getFirst()),
                    "The steps go in a circle: " + String.join(" → ", ids) + ".",
                    "Lead one of them elsewhere: a step runs once in an execution. To try again,"
                            + " use its retry_policy.");
        }
    }

    private void unreachable(BitSet reached) {
        for (int i = 0; i < steps.size(); i++) {
            if (number(steps.get(i).id()) == i && !reached.get(i)) {
                findings.add(
                        DefinitionCode.UNREACHABLE_STEP,
                        Pointers.child("/steps", i),
                        "Nothing leads to step " + steps.get(i).id() + ".",
                        "Lead a step there, or remove it.");
            }
        }
    }
}
