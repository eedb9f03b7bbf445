package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.http.Endpoint;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// The OpenAPI document. Tests hold every answer that they see against it.
final class OpenApiDocument {
    private static final String OPENAPI = "3.1.1";

    private final Facts facts;

    OpenApiDocument(Facts facts) {
        this.facts = facts;
    }

    byte[] bytes() {
        var components = new OpenApiComponents(facts);
        var operations = new OpenApiOperation(facts, components);
        return JsonWriter.object(
                out ->
                        out.text("openapi", OPENAPI)
                                .object("info", OpenApiDocument::info)
                                .objects(
                                        "servers",
                                        List.of("/"),
                                        (server, url) ->
                                                server.text("url", url)
                                                        .text(
                                                                "description",
                                                                "Where this document was found."))
                                .objects(
                                        "tags",
                                        List.copyOf(tags().entrySet()),
                                        (tag, each) ->
                                                tag.text("name", each.getKey())
                                                        .text("description", each.getValue()))
                                .array(
                                        "security",
                                        items ->
                                                items.item(
                                                        one ->
                                                                one.array(
                                                                        OpenApiComponents.KEY,
                                                                        _ -> {})))
                                .object("paths", paths -> paths(paths, operations))
                                .object("components", components::write)
                                .object("x-agent_contract", Parts.CONTRACT::write));
    }

    private static void info(JsonWriter out) {
        out.text("title", Facts.TITLE)
                .text("version", AgentContract.VERSION)
                .text("summary", "Durable work for agents, over plain HTTP.")
                .text(
                        "description",
                        Facts.DESCRIPTION
                                + " Adding fields, codes and operations is not a breaking change:"
                                + " clients ignore what they do not know.")
                .object(
                        "license",
                        license ->
                                license.text("name", "Apache-2.0")
                                        .text("identifier", "Apache-2.0"));
    }

    /// Each group of operations with what it is.
    private Map<String, String> tags() {
        var tags = new LinkedHashMap<String, String>();
        for (Endpoint endpoint : facts.published()) {
            DoorDescription door = facts.doorOf(endpoint);
            tags.computeIfAbsent(door.group(endpoint), door::groupMeaning);
        }
        return tags;
    }

    private void paths(JsonWriter out, OpenApiOperation operations) {
        Map<String, List<Endpoint>> byPath = new LinkedHashMap<>();
        for (Endpoint endpoint : facts.published()) {
            byPath.computeIfAbsent(endpoint.path(), _ -> new ArrayList<>()).add(endpoint);
        }
        byPath.forEach(
                (path, endpoints) ->
                        out.object(
                                path,
                                item ->
                                        endpoints.forEach(
                                                endpoint -> operations.write(item, endpoint))));
    }
}
