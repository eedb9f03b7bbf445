package io.orchestrion.orchestrations.definition;

import io.orchestrion.kernel.document.Findings;
import io.orchestrion.orchestrations.expression.StepUse;

import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// Finds uses of results that are not there yet, or not always.
final class UseCheck {
    private final Definition definition;
    private final Findings findings;
    private final Map<String, Integer> numbers;
    private final Ways ways;
    private final int start;
    private final BitSet reached;

    /// By the step whose result is used. Both are found once for all that use it.
    private final Map<Integer, BitSet> after = new HashMap<>();
    private final Map<Integer, BitSet> without = new HashMap<>();

    UseCheck(
            Definition definition,
            Findings findings,
            Map<String, Integer> numbers,
            Ways ways,
            int start,
            BitSet reached) {
        this.definition = definition;
        this.findings = findings;
        this.numbers = numbers;
        this.ways = ways;
        this.start = start;
        this.reached = reached;
    }

    void run() {
        List<StepSpec> steps = definition.steps();
        for (int i = 0; i < steps.size(); i++) {
            int user = i;
            steps.get(i).uses().forEach(use -> check(use, user));
        }
        if (definition.output() != null) {
            definition.output().uses().forEach(use -> check(use, steps.size()));
        }
    }

    private void check(StepUse use, int user) {
        Integer used = numbers.get(use.stepId());
        if (used == null) {
            findings.add(
                    DefinitionCode.UNKNOWN_STEP,
                    use.pointer(),
                    "There is no step " + use.stepId() + ".",
                    "Name a step of this definition.");
        } else if (reached.get(user) && !after.computeIfAbsent(used, ways::after).get(user)) {
            findings.add(
                    DefinitionCode.RESULT_NOT_BEFORE,
                    use.pointer(),
                    "Step " + use.stepId() + " cannot have run before its result is used here.",
                    "Use the result of a step that leads here.");
        } else if (reached.get(user)
                && !use.optional()
                && without.computeIfAbsent(used, step -> ways.from(start, step)).get(user)) {
            findings.add(
                    DefinitionCode.RESULT_NOT_ALWAYS,
                    use.pointer(),
                    "There are ways to here on which step " + use.stepId() + " has no result.",
                    "Give a default beside the $ref, or test with exists or has().");
        }
    }
}
