package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimit;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;

/// Writes one endpoint as an OpenAPI operation.
final class OpenApiOperation {
    private final Facts facts;
    private final OpenApiComponents components;

    OpenApiOperation(Facts facts, OpenApiComponents components) {
        this.facts = facts;
        this.components = components;
    }

    void write(JsonWriter out, Endpoint endpoint) {
        out.object(
                endpoint.method().toLowerCase(Locale.ROOT),
                operation -> {
                    operation
                            .text("operationId", endpoint.name())
                            .text("summary", endpoint.summary())
                            .texts("tags", List.of(facts.doorOf(endpoint).group(endpoint)));
                    if (endpoint.access() == Access.PUBLIC) {
                        operation.array("security", _ -> {});
                    } else if (facts.doorOf(endpoint).takesSchemes(endpoint)) {
                        operation.array("security", either -> schemes(either, endpoint));
                    }
                    operation.texts("x-required-scopes", endpoint.scopes());
                    limit(operation, facts.limitOf(endpoint));
                    operation.array("parameters", all -> parameters(all, endpoint));
                    requestBody(operation, endpoint.request());
                    rawBody(operation, endpoint.notes().rawBody());
                    operation.object("responses", all -> responses(all, endpoint));
                });
    }

    /// A key, or what the door takes beside one.
    private void schemes(JsonWriter out, Endpoint endpoint) {
        out.item(one -> one.array(OpenApiComponents.KEY, _ -> {}));
        facts.doorOf(endpoint)
                .schemes()
                .forEach(scheme -> out.item(one -> one.array(scheme.name(), _ -> {})));
    }

    private void limit(JsonWriter out, @Nullable RateLimit limit) {
        if (limit != null) {
            out.object(
                    "x-rate-limit",
                    one ->
                            one.text("limit", limit.text(facts.shownPlan()))
                                    .text("key", limit.by().word()));
        }
    }

    private static void parameters(JsonWriter out, Endpoint endpoint) {
        for (String name : endpoint.pathParameters()) {
            out.item(
                    parameter ->
                            parameter
                                    .text("name", name)
                                    .text("in", "path")
                                    .bool("required", true)
                                    .object("schema", schema -> schema.text("type", "string")));
        }
        for (Field field : endpoint.query().fields()) {
            parameter(out, "query", endpoint.query(), field);
        }
        for (Field header : endpoint.notes().requestHeaders()) {
            parameter(out, "header", ObjectSpec.named(header.name()).optional(header), header);
        }
    }

    private static void parameter(JsonWriter out, String in, ObjectSpec spec, Field field) {
        out.item(
                parameter -> {
                    parameter.text("name", field.name()).text("in", in);
                    if (!field.doc().isEmpty()) {
                        parameter.text("description", field.doc());
                    }
                    parameter
                            .bool("required", spec.isRequired(field.name()))
                            .object(
                                    "schema",
                                    schema ->
                                            spec.writeFieldSchema(
                                                    schema, field.name(), OpenApiComponents::ref));
                });
    }

    private static void requestBody(JsonWriter out, @Nullable ObjectSpec request) {
        if (request == null) {
            return;
        }
        boolean required =
                request.fields().stream().anyMatch(field -> request.isRequired(field.name()));
        out.object(
                "requestBody",
                body ->
                        body.bool("required", required)
                                .object("content", content -> jsonBody(content, request)));
    }

    private static void rawBody(JsonWriter out, String mediaType) {
        if (mediaType.isEmpty()) {
            return;
        }
        out.object(
                "requestBody",
                body ->
                        body.bool("required", false)
                                .object(
                                        "content",
                                        content ->
                                                content.object(
                                                        mediaType,
                                                        each ->
                                                                each.object(
                                                                        "schema",
                                                                        OpenApiOperation
                                                                                ::binary))));
    }

    private static void binary(JsonWriter out) {
        out.text("type", "string").text("format", "binary");
    }

    private static void jsonBody(JsonWriter out, ObjectSpec spec) {
        out.object(
                Answer.JSON,
                json ->
                        json.object("schema", schema -> OpenApiComponents.refer(schema, spec))
                                .raw("example", spec.toExample()));
    }

    private void responses(JsonWriter out, Endpoint endpoint) {
        ErrorForm form = facts.doorOf(endpoint).errorForm();
        Map<Integer, ErrorGroup> errors = components.errors(endpoint);
        var statuses = new TreeSet<>(errors.keySet());
        statuses.addAll(endpoint.responses().keySet());
        statuses.addAll(endpoint.notes().otherAnswers().keySet());
        for (int status : statuses) {
            ErrorGroup group = errors.getOrDefault(status, new ErrorGroup(form, List.of()));
            ObjectSpec spec = endpoint.responses().get(status);
            boolean own = spec != null || endpoint.notes().otherAnswers().containsKey(status);
            out.object(
                    String.valueOf(status),
                    response -> {
                        if (own) {
                            new OpenApiResponse(endpoint, status, spec, group).write(response);
                        } else {
                            refer(response, group);
                        }
                    });
        }
        out.object("default", response -> refer(response, ErrorGroup.ofHttp(form)));
    }

    private static void refer(JsonWriter out, ErrorGroup group) {
        out.text("$ref", "#/components/responses/" + group.name());
    }
}
