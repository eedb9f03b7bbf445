package io.orchestrion.runs.llm;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.runs.plan.PlanLimits;
import io.orchestrion.runs.plan.PlanSchema;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;

/// What a model is told.
final class PlanPrompts {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int FINDINGS_MAX = 20;

    private static final String PLANNER =
            """
            You plan runs. A run has agents; each agent has tasks; each task has steps; each step is one call of a tool.
            The message of the user is the input of the run as JSON. Its field "task" says what the run is for, and its
            field "context" holds what the caller knows: use the tools that are named there, with the inputs that they take.
            If there is a field "previous_decomposition", that plan has failed: "failure_analysis" says where. Plan
            differently what is still to be done, and do not repeat what has succeeded.
            Agents do not depend on each other and share nothing. Tasks of an agent may depend on each other by name, and so
            may steps of a task. An agent without tasks plans its tasks itself, later.
            Plan at most %d agents, and no more than the task needs.
            """;

    private static final String AGENT =
            """
            You plan the tasks of one agent of a run. A task has steps; each step is one call of a tool.
            The message of the user is the input of the agent as JSON. Its field "subtask" says what the agent is for, and
            "task" what the whole run is for. It also has what the tasks so far have produced. Give the next tasks, with
            names that no earlier task has. Set "continue" to true to be asked again with what they produce, or to false
            when they are the last ones. Give no tasks when nothing is left to do.
            """;

    private static final String ANSWER =
            """
            Answer with one JSON object that fits this schema, and with nothing else:
            """;

    private PlanPrompts() {}

    static ChatRequest request(PlanningInput input, PlanLimits limits) {
        boolean whole = input.ofRun();
        String schema = whole ? planSchema(limits) : PlanSchema.tasks();
        String system = (whole ? PLANNER.formatted(limits.agents()) : AGENT) + ANSWER + schema;
        return new ChatRequest(
                List.of(Message.system(system), Message.user(input.text())), input.tool(), schema);
    }

    /// With the bound of this run.
    private static String planSchema(PlanLimits limits) {
        JsonNode schema = JSON.readTree(PlanSchema.plan());
        ((ObjectNode) schema.get("properties").get("agents")).put("maxItems", limits.agents());
        return schema.toString();
    }

    /// The same conversation after an answer that was no plan.
    static ChatRequest again(ChatRequest request, String answer, List<Finding> findings) {
        var messages = new ArrayList<>(request.messages());
        messages.add(Message.assistant(answer));
        var wrong = new StringBuilder("This cannot be used:\n");
        for (Finding finding : findings.subList(0, Math.min(FINDINGS_MAX, findings.size()))) {
            wrong.append("- ")
                    .append(finding.pointer().isEmpty() ? "the whole" : finding.pointer())
                    .append(": ")
                    .append(finding.message())
                    .append(' ')
                    .append(finding.hint())
                    .append('\n');
        }
        messages.add(Message.user(wrong + "Answer with the whole JSON object, corrected."));
        return new ChatRequest(messages, request.name(), request.schema());
    }
}
