package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.json.SchemaRefs;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.tasks.AgentContract;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/// The operations as tools: each entry is what the Model Context Protocol shows of a tool, so that
/// a client can put them before a model as they are. The calls themselves are plain HTTP; `_meta`
/// says where each argument goes.
final class ToolDocument {
    private final Facts facts;

    ToolDocument(Facts facts) {
        this.facts = facts;
    }

    byte[] bytes() {
        return JsonWriter.object(
                out ->
                        out.text("name", Facts.SERVICE)
                                .text("version", AgentContract.VERSION)
                                .text("description", Facts.DESCRIPTION)
                                .text(
                                        "calling",
                                        "The tools have the form of MCP's tools/list. They are"
                                                + " called over HTTP: _meta.http names method and"
                                                + " path and says which arguments go into the path,"
                                                + " the query and the JSON body.")
                                .object("authentication", Parts::authentication)
                                .objects("tools", facts.withAccess(Access.KEY), this::tool)
                                .object("agent_contract", Parts.CONTRACT::write));
    }

    private void tool(JsonWriter out, Endpoint endpoint) {
        boolean reads = endpoint.method().equals("GET");
        boolean repeats =
                reads || endpoint.method().equals("PUT") || endpoint.method().equals("DELETE");
        boolean destroys = endpoint.notes().destructive() || endpoint.method().equals("DELETE");
        out.text("name", Parts.toolName(endpoint))
                .text("title", endpoint.summary())
                .text("description", description(endpoint))
                .object("inputSchema", schema -> input(schema, endpoint))
                .object(
                        "annotations",
                        hints ->
                                hints.text("title", endpoint.summary())
                                        .bool("readOnlyHint", reads)
                                        .bool("destructiveHint", destroys)
                                        .bool("idempotentHint", repeats)
                                        .bool("openWorldHint", false))
                .object("_meta", meta -> meta(meta, endpoint));
    }

    private String description(Endpoint endpoint) {
        var text = new StringBuilder(endpoint.summary()).append('.');
        RateLimit limit = facts.limitOf(endpoint);
        if (limit != null) {
            text.append(" Limit: ")
                    .append(limit.text(facts.shownPlan()))
                    .append(" per ")
                    .append(limit.by().word())
                    .append('.');
        }
        if (!endpoint.scopes().isEmpty()) {
            text.append(" The key must have one of the scopes ")
                    .append(String.join(", ", endpoint.scopes()))
                    .append('.');
        }
        return text.append(" The answer's agent_contract says what to do next.").toString();
    }

    private static void meta(JsonWriter out, Endpoint endpoint) {
        out.object(
                "http",
                http ->
                        http.text("method", endpoint.method())
                                .text("path", endpoint.path())
                                .texts("path_arguments", endpoint.pathParameters())
                                .texts("query_arguments", names(endpoint.query()))
                                .texts("body_arguments", names(body(endpoint))));
        out.texts("required_scopes", endpoint.scopes());
    }

    private static ObjectSpec body(Endpoint endpoint) {
        ObjectSpec request = endpoint.request();
        return request == null ? ObjectSpec.named("none") : request;
    }

    private static List<String> names(ObjectSpec spec) {
        return spec.fields().stream().map(Field::name).toList();
    }

    /// All arguments in one object, under their first names: a model that is offered a second name
    /// for the same thing sends both.
    private static void input(JsonWriter out, Endpoint endpoint) {
        var required = new ArrayList<>(endpoint.pathParameters());
        var taken = new HashSet<>(endpoint.pathParameters());
        out.text("type", "object")
                .object(
                        "properties",
                        properties -> {
                            for (String parameter : endpoint.pathParameters()) {
                                properties.object(
                                        parameter,
                                        schema ->
                                                schema.text("type", "string")
                                                        .text(
                                                                "description",
                                                                "Part of the path "
                                                                        + endpoint.path()
                                                                        + "."));
                            }
                            for (ObjectSpec spec : List.of(endpoint.query(), body(endpoint))) {
                                for (Field field : spec.fields()) {
                                    if (!taken.add(field.name())) {
                                        throw new IllegalStateException(
                                                endpoint.name()
                                                        + " has two arguments named "
                                                        + field.name());
                                    }
                                    properties.object(
                                            field.name(),
                                            schema ->
                                                    spec.writeFieldSchema(
                                                            schema,
                                                            field.name(),
                                                            SchemaRefs.IN_PLACE));
                                    if (spec.isRequired(field.name())) {
                                        required.add(field.name());
                                    }
                                }
                            }
                        })
                .texts("required", required)
                .bool("additionalProperties", false);
    }
}
