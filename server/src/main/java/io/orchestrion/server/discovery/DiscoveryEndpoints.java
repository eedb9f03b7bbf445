package io.orchestrion.server.discovery;

import static io.orchestrion.kernel.json.Field.text;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.tasks.TaskEndpoints;

import java.util.List;

/// Where the documents are. They are of the tasks door, for whom they speak.
public final class DiscoveryEndpoints {
    private DiscoveryEndpoints() {}

    static final String MARKDOWN = "text/markdown";

    static final Endpoint CAPABILITIES =
            json("capabilities", "/v1/capabilities", DiscoverySpecs.CAPABILITIES)
                    .summary("API capabilities document")
                    .limit(RateLimits.CAPABILITIES)
                    .build();

    static final Endpoint TOOL =
            json("toolManifest", "/v1/tool", DiscoverySpecs.TOOLS)
                    .summary("MCP-compatible tool manifest")
                    .build();

    static final Endpoint SCHEMA =
            json("openApi", "/v1/schema", DiscoverySpecs.OPENAPI)
                    .summary("OpenAPI 3.1 schema document")
                    .build();

    static final Endpoint AGENT =
            json("agentManifest", "/.well-known/agent.json", DiscoverySpecs.AGENT)
                    .summary("Agent discovery manifest")
                    .build();

    static final Endpoint AGENT_CARD =
            json("agentCard", "/.well-known/agent-card.json", DiscoverySpecs.AGENT_CARD)
                    .summary("Agent card in the form of A2A 1.0")
                    .build();

    static final Endpoint LLMS =
            document("llms", "/llms.txt")
                    .answers(200, MARKDOWN)
                    .summary("Short guide for language models")
                    .build();

    private static Endpoint.Builder json(String name, String path, ObjectSpec answer) {
        return document(name, path).response(200, answer);
    }

    private static Endpoint.Builder document(String name, String path) {
        return Endpoint.get(name, path)
                .door(TaskEndpoints.DOOR)
                .access(Access.PUBLIC)
                .requestHeader(
                        text("If-None-Match")
                                .doc("The ETag of an earlier answer; 304 if it is still the same."))
                .answerHeader("ETag", "Changes when the document does.")
                .answerHeader("Cache-Control", "How long it may be kept without asking again.")
                .answers(304, "");
    }

    public static final Catalogue CATALOGUE =
            new Catalogue(List.of(CAPABILITIES, TOOL, SCHEMA, AGENT, AGENT_CARD, LLMS));
}
