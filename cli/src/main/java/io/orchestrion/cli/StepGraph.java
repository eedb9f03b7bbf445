package io.orchestrion.cli;

import tools.jackson.databind.JsonNode;

/// The steps of a definition or an execution and the ways between them, in words.
final class StepGraph {
    private StepGraph() {}

    static String text(JsonNode graph, Screen screen) {
        var text = new StringBuilder();
        String start = graph.path("start_step_id").asString("");
        for (JsonNode node : graph.path("nodes").values()) {
            String id = node.path("id").asString("");
            text.append(screen.strong(Screen.clean(id)))
                    .append("  ")
                    .append(Screen.clean(node.path("type").asString("")))
                    .append("  ")
                    .append(screen.faint(Screen.clean(node.path("name").asString(""))));
            if (node.path("status").isString()) {
                String status = node.path("status").asString();
                text.append("  ").append(screen.ending(status, Screen.clean(status)));
            }
            text.append(id.equals(start) ? "  (start)\n" : "\n");
            for (JsonNode edge : graph.path("edges").values()) {
                if (edge.path("from").asString("").equals(id)) {
                    text.append("  ").append(way(edge)).append("\n");
                }
            }
        }
        return text.toString().stripTrailing();
    }

    private static String way(JsonNode edge) {
        String branch = edge.path("branch").asString("");
        String to =
                edge.path("to").isString()
                        ? edge.path("to").asString()
                        : "end, " + edge.path("end").asString("");
        return Screen.clean(edge.path("kind").asString(""))
                + (branch.isEmpty() ? "" : " " + Screen.clean(branch))
                + " -> "
                + Screen.clean(to);
    }
}
