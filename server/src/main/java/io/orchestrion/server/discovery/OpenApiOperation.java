package io.orchestrion.server.discovery;

import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.json.Field;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.ObjectSpec;
import io.orchestrion.server.limits.RateLimit;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.tasks.TaskError;
import io.orchestrion.server.tasks.TaskErrors;
import io.orchestrion.server.tasks.TaskSpecs;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;

/// Writes one endpoint as an OpenAPI operation.
final class OpenApiOperation {
    private final Facts facts;

    OpenApiOperation(Facts facts) {
        this.facts = facts;
    }

    void write(JsonWriter out, Endpoint endpoint) {
        out.object(
                endpoint.method().toLowerCase(Locale.ROOT),
                operation -> {
                    operation
                            .text("operationId", endpoint.name())
                            .text("summary", endpoint.summary())
                            .texts("tags", List.of(facts.groupOf(endpoint)));
                    if (endpoint.access() == Access.PUBLIC) {
                        operation.array("security", _ -> {});
                    }
                    operation.texts("x-required-scopes", endpoint.scopes());
                    limit(operation, facts.limitOf(endpoint));
                    operation.array("parameters", all -> parameters(all, endpoint));
                    requestBody(operation, endpoint.request());
                    operation.object("responses", all -> responses(all, endpoint));
                });
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

    private static void jsonBody(JsonWriter out, ObjectSpec spec) {
        out.object(
                Answer.JSON,
                json ->
                        json.object("schema", schema -> refer(schema, spec))
                                .raw("example", spec.toExample()));
    }

    private static void refer(JsonWriter out, ObjectSpec spec) {
        out.text("$ref", OpenApiComponents.ref(spec));
    }

    private static void responses(JsonWriter out, Endpoint endpoint) {
        Map<Integer, List<TaskError>> errors =
                TaskErrors.of(endpoint).stream()
                        .collect(
                                Collectors.groupingBy(
                                        TaskError::status, TreeMap::new, Collectors.toList()));
        var statuses = new TreeSet<>(errors.keySet());
        statuses.addAll(endpoint.responses().keySet());
        statuses.addAll(endpoint.notes().otherAnswers().keySet());
        for (int status : statuses) {
            out.object(
                    String.valueOf(status),
                    response ->
                            new Response(
                                            endpoint,
                                            status,
                                            endpoint.responses().get(status),
                                            errors.getOrDefault(status, List.of()))
                                    .write(response));
        }
        out.object(
                "default",
                response ->
                        new Response(endpoint, 0, null, List.of(TaskError.INVALID_REQUEST))
                                .write(response));
    }

    /// The answers of one status.
    ///
    /// @param status 0 for those that HTTP itself makes necessary: 408, 414, 431, 501, 505
    /// @param spec null where only errors have this status
    private record Response(
            Endpoint endpoint, int status, @Nullable ObjectSpec spec, List<TaskError> errors) {

        void write(JsonWriter out) {
            String otherType = endpoint.notes().otherAnswers().get(status);
            out.text("description", description()).object("headers", this::headers);
            if (otherType == null) {
                out.object("content", content -> content.object(Answer.JSON, this::json));
            } else if (!otherType.isEmpty()) {
                out.object(
                        "content",
                        content ->
                                content.object(
                                        otherType,
                                        text ->
                                                text.object(
                                                        "schema",
                                                        schema -> schema.text("type", "string"))));
            }
        }

        private String description() {
            if (status == 0) {
                return "HTTP itself was at fault, such as a request line that is too long.";
            }
            String own = spec == null || spec.doc().isEmpty() ? endpoint.summary() + "." : spec.doc();
            String failures =
                    errors.stream()
                            .map(error -> error.code() + ": " + error.meaning())
                            .collect(Collectors.joining(" "));
            boolean succeeds = spec != null || endpoint.notes().otherAnswers().containsKey(status);
            return succeeds ? failures.isEmpty() ? own : own + " " + failures : failures;
        }

        private void headers(JsonWriter out) {
            refer(out, OpenApiComponents.REQUEST_ID);
            if (status == 429 || status == 503) {
                refer(out, OpenApiComponents.RETRY_AFTER);
            }
            if (!endpoint.limit().equals(RateLimits.NONE)) {
                OpenApiComponents.RATE_LIMIT.forEach(name -> refer(out, name));
            }
            if (errors.isEmpty()) {
                endpoint.notes()
                        .answerHeaders()
                        .forEach((name, meaning) -> header(out, name, meaning));
            }
        }

        private static void header(JsonWriter out, String name, String meaning) {
            out.object(
                    name,
                    header ->
                            header.text("description", meaning)
                                    .object("schema", schema -> schema.text("type", "string")));
        }

        private static void refer(JsonWriter out, String header) {
            out.object(header, one -> one.text("$ref", OpenApiComponents.header(header)));
        }

        private void json(JsonWriter out) {
            out.object("schema", this::schema);
            if (spec != null && errors.isEmpty()) {
                out.raw("example", spec.toExample());
                return;
            }
            out.object(
                    "examples",
                    examples -> {
                        if (spec != null) {
                            examples.object(
                                    spec.name(), one -> one.raw("value", spec.toExample()));
                        }
                        errors.forEach(
                                error ->
                                        examples.object(
                                                error.code(),
                                                one ->
                                                        one.text(
                                                                "$ref",
                                                                OpenApiComponents.example(error))));
                    });
        }

        private void schema(JsonWriter out) {
            if (spec == null) {
                errorSchema(out);
            } else if (errors.isEmpty()) {
                OpenApiOperation.refer(out, spec);
            } else {
                out.array(
                        "anyOf",
                        either -> {
                            either.item(one -> OpenApiOperation.refer(one, spec));
                            either.item(this::errorSchema);
                        });
            }
        }

        /// The common error body, with only the codes that can come here.
        private void errorSchema(JsonWriter out) {
            List<String> codes = errors.stream().map(TaskError::code).toList();
            out.array(
                    "allOf",
                    both -> {
                        both.item(one -> OpenApiOperation.refer(one, TaskSpecs.ERROR_ANSWER));
                        both.item(one -> one.object("properties", all -> only(all, codes)));
                    });
        }

        private static void only(JsonWriter out, List<String> codes) {
            out.object("error", code -> code.texts("enum", codes));
        }
    }
}
