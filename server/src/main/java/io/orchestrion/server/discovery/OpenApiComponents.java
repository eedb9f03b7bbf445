package io.orchestrion.server.discovery;

import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.json.JsonWriter;
import io.orchestrion.server.json.ObjectSpec;
import io.orchestrion.server.queue.WorkerAuthentication;
import io.orchestrion.server.tasks.KeyEndpoints;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What operations refer to: every declared object once, the error examples, headers and the way
/// to authenticate.
final class OpenApiComponents {
    static final String KEY = "apiKey";
    static final String WORKER_TOKEN = "workerToken";
    static final String WORKER_JWT = "workerJwt";
    static final List<String> FOR_WORKERS = List.of(KEY, WORKER_TOKEN, WORKER_JWT);
    static final String REQUEST_ID = "X-Request-Id";
    static final String RETRY_AFTER = "Retry-After";
    static final List<String> RATE_LIMIT = List.of("RateLimit", "RateLimit-Policy");

    private final Map<String, ObjectSpec> schemas = new LinkedHashMap<>();
    private final Map<String, ErrorGroup> responses = new LinkedHashMap<>();

    OpenApiComponents(List<Endpoint> endpoints) {
        for (ErrorForm form : ErrorForm.values()) {
            add(form.spec());
        }
        for (Endpoint endpoint : endpoints) {
            ObjectSpec request = endpoint.request();
            if (request != null) {
                add(request);
            }
            endpoint.responses().values().forEach(this::add);
            errors(endpoint).values().forEach(this::add);
        }
        for (ErrorForm form : ErrorForm.values()) {
            add(form.ofHttp());
        }
    }

    /// By status.
    static Map<Integer, ErrorGroup> errors(Endpoint endpoint) {
        ErrorForm form = ErrorForm.ofDoor(endpoint);
        var byStatus = new TreeMap<Integer, List<DoorError>>();
        for (DoorError error : form.of(endpoint)) {
            for (int status : error.statuses()) {
                byStatus.computeIfAbsent(status, _ -> new ArrayList<>()).add(error);
            }
        }
        var groups = new TreeMap<Integer, ErrorGroup>();
        byStatus.forEach((status, errors) -> groups.put(status, new ErrorGroup(form, errors)));
        return groups;
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
        out.object("securitySchemes", OpenApiComponents::schemes)
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

    private static void schemes(JsonWriter out) {
        out.object(
                        KEY,
                        scheme ->
                                bearer(scheme, Parts.KEY_FORMAT)
                                        .text(
                                                "description",
                                                "A key from " + KeyEndpoints.REGISTER.path() + "."))
                .object(
                        WORKER_TOKEN,
                        scheme ->
                                scheme.text("type", "apiKey")
                                        .text("in", "header")
                                        .text("name", WorkerAuthentication.TOKEN_HEADER)
                                        .text(
                                                "description",
                                                "A worker token, which opens the worker verbs of"
                                                        + " the queue door."))
                .object(
                        WORKER_JWT,
                        scheme ->
                                bearer(scheme, "JWT")
                                        .text(
                                                "description",
                                                "A token of the configured OIDC issuer, in place of"
                                                        + " a worker token."));
    }

    private static JsonWriter bearer(JsonWriter out, String format) {
        return out.text("type", "http").text("scheme", "bearer").text("bearerFormat", format);
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

    /// One for each error.
    private static void examples(JsonWriter out) {
        for (ErrorForm form : ErrorForm.values()) {
            for (DoorError error : form.all()) {
                out.object(
                        error.code(),
                        example ->
                                example.text("summary", error.meaning())
                                        .object("value", body -> form.example(body, error)));
            }
        }
    }
}
