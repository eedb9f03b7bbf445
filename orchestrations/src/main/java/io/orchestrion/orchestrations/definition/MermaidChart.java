package io.orchestrion.orchestrations.definition;

import io.orchestrion.orchestrations.definition.DefinitionGraph.Edge;
import io.orchestrion.orchestrations.definition.DefinitionGraph.EdgeKind;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Node;
import io.orchestrion.orchestrations.definition.DefinitionGraph.Target;

import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Draws a graph in Mermaid's language. Names come from authors: nodes are called by numbers, and
/// names stand only in quotes, with everything written as a number that could end them or be
/// markup.
final class MermaidChart {
    private static final int NAME_MAX = 60;

    /// Fill and line by state, for light and dark pages.
    private static final Map<String, String> COLOURS = colours();

    private final DefinitionGraph graph;
    private final Map<String, String> states;
    private final Map<String, String> ids = new HashMap<>();
    private final StringBuilder out = new StringBuilder("flowchart TD\n");

    MermaidChart(DefinitionGraph graph, Map<String, String> states) {
        this.graph = graph;
        this.states = states;
    }

    private static Map<String, String> colours() {
        var colours = new LinkedHashMap<String, String>();
        colours.put("pending", "fill:#eceff1,stroke:#607d8b,color:#263238");
        colours.put("running", "fill:#bbdefb,stroke:#1565c0,color:#0d47a1");
        colours.put("retrying", "fill:#ffe0b2,stroke:#ef6c00,color:#5d4037");
        colours.put("awaiting_approval", "fill:#fff9c4,stroke:#f9a825,color:#5d4037");
        colours.put("succeeded", "fill:#c8e6c9,stroke:#2e7d32,color:#1b5e20");
        colours.put("failed", "fill:#ffcdd2,stroke:#c62828,color:#b71c1c");
        colours.put("timed_out", "fill:#ffcdd2,stroke:#6a1b9a,color:#4a148c");
        colours.put("skipped", "fill:#fafafa,stroke:#9e9e9e,color:#616161");
        return colours;
    }

    String text() {
        List<Node> nodes = graph.nodes();
        for (int i = 0; i < nodes.size(); i++) {
            ids.put(nodes.get(i).id(), "s" + i);
        }
        out.append("  start((\" \"))\n");
        nodes.forEach(this::node);
        if (ids.containsKey(graph.startStepId())) {
            out.append("  start --> ").append(ids.get(graph.startStepId())).append('\n');
        }
        graph.edges().forEach(this::edge);
        end(true);
        end(false);
        COLOURS.forEach(
                (state, colour) -> {
                    if (states.containsValue(state)) {
                        out.append("  classDef ")
                                .append(state)
                                .append(' ')
                                .append(colour)
                                .append('\n');
                    }
                });
        for (Node node : nodes) {
            String state = states.get(node.id());
            if (state != null && COLOURS.containsKey(state)) {
                out.append("  class ")
                        .append(ids.get(node.id()))
                        .append(' ')
                        .append(state)
                        .append('\n');
            }
        }
        return out.toString();
    }

    private void node(Node node) {
        String label = '"' + escaped(node.name()) + '"';
        String shape =
                switch (node.type()) {
                    case TASK -> "[" + label + "]";
                    case DECISION -> "{" + label + "}";
                    case WAIT -> "([" + label + "])";
                    case EXTERNAL_CALL -> "[[" + label + "]]";
                    case NOTIFY -> ">" + label + "]";
                    case HUMAN_APPROVAL -> "[/" + label + "/]";
                };
        out.append("  ").append(ids.get(node.id())).append(shape).append('\n');
    }

    private void edge(Edge edge) {
        String to =
                switch (edge.to()) {
                    case Target.Step(String id) -> ids.get(id);
                    case Target.End(boolean succeeded) ->
                            succeeded ? "succeeded_end" : "failed_end";
                };
        // A draft may lead to a step that does not exist. Failures that end the execution would
        // draw a line from every step.
        if (to == null
                || (edge.kind() != EdgeKind.BRANCH
                        && !edge.kind().hasResult()
                        && edge.to() instanceof Target.End)) {
            return;
        }
        String label =
                edge.kind() == EdgeKind.BRANCH ? String.valueOf(edge.branch()) : edge.kind().word();
        String line = edge.kind().hasResult() ? " -->" : " -.->";
        out.append("  ").append(ids.get(edge.from())).append(line);
        if (edge.kind() != EdgeKind.SUCCESS) {
            out.append("|\"").append(escaped(label)).append("\"|");
        }
        out.append(' ').append(to).append('\n');
    }

    private void end(boolean succeeded) {
        String name = succeeded ? "succeeded" : "failed";
        if (out.indexOf(name + "_end") >= 0) {
            out.append("  ").append(name).append("_end((\"").append(name).append("\"))\n");
        }
    }

    /// Letters, digits, spaces and a few signs as they are; anything else as its number.
    private static String escaped(String name) {
        var text = new StringBuilder();
        name.codePoints()
                .limit(NAME_MAX)
                .forEach(
                        c -> {
                            if (Character.isLetterOrDigit(c) || " .,:_-+".indexOf(c) >= 0) {
                                text.appendCodePoint(c);
                            } else if (Character.isISOControl(c) || Character.isWhitespace(c)) {
                                text.append(' ');
                            } else {
                                text.append('#').append(c).append(';');
                            }
                        });
        if (name.codePointCount(0, name.length()) > NAME_MAX) {
            text.append('…');
        }
        return text.isEmpty() ? " " : text.toString();
    }
}
