package io.orchestrion.server.orchestrations;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.orchestrations.definition.DefinitionGraph;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Edge;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Node;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Target;
import io.orchestrion.orchestrations.execution.Execution;
import io.orchestrion.orchestrations.execution.StepAttempt;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.Pages;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Graphs of definitions and executions, as data or as a chart.
final class GraphAnswers {
    static final String MERMAID = "text/vnd.mermaid";

    private GraphAnswers() {}

    static Answer of(Call call, DefinitionGraph graph, AgentContract contract) {
        return isChart(call)
                ? chart(graph.mermaid())
                : Pages.json(200, out -> write(out, graph, null), contract);
    }

    /// @param newest the newest attempt of each step that was begun
    static Answer of(
            Call call,
            Execution execution,
            DefinitionGraph graph,
            Map<String, StepAttempt> newest,
            AgentContract contract) {
        if (isChart(call)) {
            var states = new HashMap<String, String>();
            newest.forEach((id, attempt) -> states.put(id, attempt.status().word()));
            return chart(graph.mermaid(states));
        }
        return Pages.json(
                200,
                out -> {
                    out.text("execution_id", execution.id().toString())
                            .text("execution_status", execution.status().word());
                    write(out, graph, newest);
                },
                contract);
    }

    private static boolean isChart(Call call) {
        String format = call.queryValues().textOrNull("format");
        if (format != null) {
            return format.equals("mermaid");
        }
        // Whoever would also take JSON gets that.
        List<String> accepted = call.headers("Accept");
        String all = String.join(",", accepted).toLowerCase(Locale.ROOT);
        return (all.contains(MERMAID) || all.contains("text/plain"))
                && !all.contains(Answer.JSON)
                && !all.contains("*/*");
    }

    private static Answer chart(String text) {
        return Answer.of(200, MERMAID + "; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(
            JsonWriter out, DefinitionGraph graph, @Nullable Map<String, StepAttempt> newest) {
        out.text("start_step_id", graph.startStepId())
                .objects("nodes", graph.nodes(), (each, node) -> write(each, node, newest))
                .objects("edges", graph.edges(), GraphAnswers::write);
    }

    private static void write(
            JsonWriter out, Node node, @Nullable Map<String, StepAttempt> newest) {
        out.text("id", node.id()).text("name", node.name()).text("type", node.type().word());
        if (newest != null) {
            StepAttempt attempt = newest.get(node.id());
            if (attempt == null) {
                out.nil("status").nil("step_execution_id").nil("attempt_number");
            } else {
                out.text("status", attempt.status().word())
                        .text("step_execution_id", attempt.id().toString())
                        .integer("attempt_number", attempt.place().number());
            }
        }
    }

    private static void write(JsonWriter out, Edge edge) {
        out.text("from", edge.from());
        switch (edge.to()) {
            case Target.Step(String id) -> out.text("to", id).nil("end");
            case Target.End(boolean succeeded) ->
                    out.nil("to").text("end", succeeded ? "succeeded" : "failed");
        }
        out.text("kind", edge.kind().word()).text("branch", edge.branch());
    }
}
