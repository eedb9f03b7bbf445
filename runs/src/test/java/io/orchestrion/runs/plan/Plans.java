package io.orchestrion.runs.plan;

import io.orchestrion.kernel.document.Finding;
import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.kernel.schema.JsonSchemas;

import tools.jackson.core.JsonPointer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// A plan with something of everything, and ways to change it.
final class Plans {
    static final JsonMapper JSON = JsonMapper.shared();
    static final UUID ACCOUNT = new UUID(1, 1);
    static final JsonSchemas SCHEMAS = new JsonSchemas(new Failpoints());
    static final PlanReader READER = new PlanReader(SCHEMAS);

    static final String USUAL =
            """
            {"agents": [
              {"subtask": "Find the sources.", "failure_mode": "continue", "parallelism_mode": "dag",
               "tasks": [
                 {"name": "search", "failure_mode": "retry", "parallelism_mode": "parallel",
                  "steps": [
                    {"name": "web", "tool": "web_search", "input": {"query": "q", "most": 10.50}, "timeout_ms": 60000,
                     "max_attempts": 5, "max_tokens": 2000, "output_schema": {"type": "object", "required": ["hits"]}},
                    {"name": "news", "tool": "news-search", "input": {}},
                    {"name": "merge", "tool": "merge", "input": {}, "dependencies": ["web", "news"]}]},
                 {"name": "read", "dependencies": ["search"],
                  "steps": [{"name": "get", "tool": "http_get"}]}]},
              {"subtask": "Write."}]}
            """;

    private Plans() {}

    static String with(String... changes) {
        return changed(USUAL, changes);
    }

    /// With changes: a JSON Pointer and what is there then, or `-` for nothing.
    static String changed(String json, String... changes) {
        JsonNode document = JSON.readTree(json);
        for (int i = 0; i < changes.length; i += 2) {
            JsonPointer at = JsonPointer.compile(changes[i]);
            JsonNode parent = document.at(at.head());
            JsonPointer last = at.last();
            if (parent instanceof ObjectNode object) {
                if (changes[i + 1].equals("-")) {
                    object.remove(last.getMatchingProperty());
                } else {
                    object.set(last.getMatchingProperty(), JSON.readTree(changes[i + 1]));
                }
            } else {
                ((ArrayNode) parent).set(last.getMatchingIndex(), JSON.readTree(changes[i + 1]));
            }
        }
        return document.toString();
    }

    /// A list of so many, with `#` for the number of each.
    static String many(int count, String each) {
        return IntStream.range(0, count)
                .mapToObj(i -> each.replace("#", "" + i))
                .collect(Collectors.joining(",", "[", "]"));
    }

    static ReadPlan read(String json) {
        return READER.read(ACCOUNT, json, PlanLimits.USUAL);
    }

    static List<String> found(List<Finding> findings) {
        return findings.stream()
                .map(finding -> finding.code().word() + " " + finding.pointer())
                .toList();
    }
}
