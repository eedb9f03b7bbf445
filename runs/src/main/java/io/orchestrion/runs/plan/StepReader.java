package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Fields;
import io.orchestrion.kernel.document.SchemaReader;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.regex.Pattern;

/// Reads the steps of one plan.
final class StepReader {
    private static final Set<String> STEP =
            Set.of(
                    "name",
                    "tool",
                    "input",
                    "timeout_ms",
                    "max_attempts",
                    "max_tokens",
                    "output_schema",
                    "dependencies");

    /// As types of tasks are.
    private static final Pattern TOOL =
            Pattern.compile("[A-Za-z0-9_-]{1," + PlanLimits.TOOL_CHARACTERS + "}");

    private final PlanLimits limits;
    private final SchemaReader schemas;
    private int steps;

    /// @param steps that the plan has already
    StepReader(PlanLimits limits, SchemaReader schemas, int steps) {
        this.limits = limits;
        this.schemas = schemas;
        this.steps = steps;
    }

    StepPlan read(Fields fields) {
        steps++;
        fields.only(STEP);
        return new StepPlan(
                fields.requiredLine("name", PlanLimits.NAME_CHARACTERS),
                tool(fields),
                input(fields),
                fields.whole("timeout_ms", 1, limits.timeoutMs()),
                fields.wholeInt("max_attempts", 1, limits.attempts()),
                fields.whole("max_tokens", 1, limits.tokens()),
                // After so many steps, the plan is refused without looking at more schemas.
                steps > limits.allSteps() ? null : schemas.read(fields, "output_schema"),
                Dependencies.names(fields));
    }

    void checkCount(Fields document) {
        if (steps > limits.allSteps()) {
            document.findings()
                    .add(
                            PlanCode.TOO_MANY_STEPS,
                            document.pointer(),
                            "The plan has "
                                    + steps
                                    + " steps, and a plan has at most "
                                    + limits.allSteps()
                                    + ".",
                            "Plan fewer steps, or let agents plan their tasks themselves.");
        }
    }

    private static String tool(Fields fields) {
        if (!fields.has("tool")) {
            fields.missing("tool", "Add the type under which workers claim the step.");
        }
        String tool = fields.text("tool", PlanLimits.TOOL_CHARACTERS);
        if (tool == null) {
            return "";
        }
        if (!TOOL.matcher(tool).matches()) {
            fields.invalid(
                    "tool",
                    "is no type of a task",
                    "Use 1 to " + PlanLimits.TOOL_CHARACTERS + " letters, digits, _ or -.");
        } else if (ReservedTools.isReserved(tool)) {
            fields.findings()
                    .add(
                            PlanCode.RESERVED_TOOL,
                            fields.at("tool"),
                            "The type " + tool + " is for what the server does itself.",
                            "Use another type. To plan, leave the tasks of an agent out.");
        }
        return tool;
    }

    private String input(Fields fields) {
        JsonNode input = fields.get("input");
        if (input == null) {
            return "{}";
        }
        if (!input.isObject()) {
            fields.wrongType("input", "an object");
            return "{}";
        }
        String text = input.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > limits.inputBytes()) {
            fields.bounds(
                    "input",
                    "has more than " + limits.inputBytes() + " bytes",
                    "Shorten it, or refer to an artifact.");
        }
        return text;
    }
}
