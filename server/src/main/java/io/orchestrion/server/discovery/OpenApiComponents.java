package io.orchestrion.server.discovery;

import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.ObjectSpec;
import io.orchestrion.server.tasks.AgentContract;
import io.orchestrion.server.tasks.TaskEndpoints;
import io.orchestrion.server.tasks.TaskError;
import io.orchestrion.server.tasks.TaskErrors;
import io.orchestrion.server.tasks.TaskSpecs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/// What operations refer to: every declared object once, the error examples, headers and the way
/// to authenticate.
final class OpenApiComponents {
    static final String KEY = "apiKey";
    static final String REQUEST_ID = "X-Request-Id";
    static final String RETRY_AFTER = "Retry-After";
    static final List<String> RATE_LIMIT = List.of("RateLimit", "RateLimit-Policy");

    private final Map<String, ObjectSpec> schemas = new LinkedHashMap<>();
    private final Map<String, ErrorGroup> responses = new LinkedHashMap<>();

    OpenApiComponents(List<Endpoint> endpoints) {
        add(TaskSpecs.ERROR_ANSWER);
        for (Endpoint endpoint : endpoints) {
            ObjectSpec request = endpoint.request();
            if (request != null) {
                add(request);
            }
            endpoint.responses().values().forEach(this::add);
            errors(endpoint).values().forEach(this::add);
        }
        add(ErrorGroup.OF_HTTP);
    }

    /// By status.
    static Map<Integer, ErrorGroup> errors(Endpoint endpoint) {
        return TaskErrors.of(endpoint).stream()
                .collect(
                        Collectors.groupingBy(
                                TaskError::status,
                                TreeMap::new,
                                Collectors.collectingAndThen(
                                        Collectors.toList(), ErrorGroup::new)));
    }

    private void add(ErrorGroup group) {
        responses.put(group.name(), group);
    }

    private void add(ObjectSpec spec) {
        addOne(spec);
        spec.nested().forEach(this::addOne);
    }

    private void addOne(ObjectSpec spec) {
        ObjectSpec known = schemas.putIfAbsent(spec.name(), spec);
        if (known != null && known != spec && !known.toJsonSchema().equals(spec.toJsonSchema())) {
            throw new IllegalStateException("Two objects are named " + spec.name());
        }
    }

    static String ref(ObjectSpec spec) {
        return "#/components/schemas/" + spec.name();
    }

    static void refer(JsonWriter out, ObjectSpec spec) {
        out.text("$ref", ref(spec));
    }

    static void referToHeader(JsonWriter out, String header) {
        out.object(header, one -> one.text("$ref", "#/components/headers/" + header));
    }

    void write(JsonWriter out) {
        out.object(
                        "securitySchemes",
                        schemes ->
                                schemes.object(
                                        KEY,
                                        scheme ->
                                                scheme.text("type", "http")
                                                        .text("scheme", "bearer")
                                                        .text("bearerFormat", Parts.KEY_FORMAT)
                                                        .text(
                                                                "description",
                                                                "A key from "
                                                                        + TaskEndpoints.REGISTER
                                                                                .path()
                                                                        + ".")))
                .object("headers", OpenApiComponents::headers)
                .object("examples", OpenApiComponents::examples)
                .object(
                        "responses",
                        all -> responses.forEach((name, group) -> all.object(name, group::write)))
                .object(
                        "schemas",
                        all ->
                                schemas.forEach(
                                        (name, spec) ->
                                                all.object(
                                                        name,
                                                        one ->
                                                                spec.writeSchema(
                                                                        one,
                                                                        OpenApiComponents::ref))));
    }

    private static void headers(JsonWriter out) {
        header(out, REQUEST_ID, "Names this request, as the log and the error body do.", "string");
        header(out, RETRY_AFTER, "Seconds to wait before sending the same again.", "integer");
        header(out, "RateLimit", "What is left of the limit nearest to its end.", "string");
        header(out, "RateLimit-Policy", "The limits that this request counts against.", "string");
    }

    static void header(JsonWriter out, String name, String meaning, String type) {
        out.object(
                name,
                header ->
                        header.text("description", meaning)
                                .object("schema", schema -> schema.text("type", type)));
    }

    /// One for each error, as the create operation would word it.
    private static void examples(JsonWriter out) {
        for (TaskError error : TaskError.values()) {
            out.object(
                    error.code(),
                    example ->
                            example.text("summary", error.meaning())
                                    .object("value", body -> errorBody(body, error)));
        }
    }

    private static void errorBody(JsonWriter out, TaskError error) {
        Endpoint asked = TaskEndpoints.CREATE;
        out.text("error", error.code())
                .text("message", error.meaning())
                .text("request_id", "req_0123456789abcdef")
                .object(
                        "agent_contract",
                        AgentContract.forError(error, asked.method(), asked.path())::write);
    }
}
