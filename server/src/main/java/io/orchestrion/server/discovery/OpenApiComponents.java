package io.orchestrion.server.discovery;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.door.DoorDescription;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.keys.KeyEndpoints;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/// What operations refer to: every declared object once, the error examples, headers and the way
/// to authenticate.
final class OpenApiComponents {
    static final String KEY = "apiKey";
    static final String REQUEST_ID = "X-Request-Id";
    static final String RETRY_AFTER = "Retry-After";
    static final List<String> RATE_LIMIT = List.of("RateLimit", "RateLimit-Policy");
    private static final String REQUEST = "req_0123456789abcdef";

    private final Facts facts;
    private final Map<String, ObjectSpec> schemas = new LinkedHashMap<>();
    private final Map<String, ErrorGroup> responses = new LinkedHashMap<>();

    OpenApiComponents(Facts facts) {
        this.facts = facts;
        for (DoorDescription door : facts.doors()) {
            add(door.errorForm().spec());
        }
        for (Endpoint endpoint : facts.published()) {
            ObjectSpec request = endpoint.request();
            if (request != null) {
                add(request);
            }
            endpoint.responses().values().forEach(this::add);
            errors(endpoint).values().forEach(this::add);
        }
        for (DoorDescription door : facts.doors()) {
            add(ErrorGroup.ofHttp(door.errorForm()));
        }
    }

    /// By status.
    Map<Integer, ErrorGroup> errors(Endpoint endpoint) {
        ErrorForm form = facts.doorOf(endpoint).errorForm();
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
        out.object("securitySchemes", this::schemes)
                .object("headers", OpenApiComponents::headers)
                .object("examples", this::examples)
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

    private void schemes(JsonWriter out) {
        out.object(
                KEY,
                scheme ->
                        scheme.text("type", "http")
                                .text("scheme", "bearer")
                                .text("bearerFormat", Parts.KEY_FORMAT)
                                .text(
                                        "description",
                                        "A key from " + KeyEndpoints.REGISTER.path() + "."));
        for (DoorDescription door : facts.doors()) {
            door.schemes()
                    .forEach(scheme -> out.object(scheme.name(), scheme.definition()::accept));
        }
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
    private void examples(JsonWriter out) {
        for (DoorDescription door : facts.doors()) {
            ErrorForm form = door.errorForm();
            for (DoorError error : form.all()) {
                out.object(
                        form.prefix() + error.code(),
                        example ->
                                example.text("summary", error.meaning())
                                        .object(
                                                "value",
                                                body -> form.example(body, error, REQUEST)));
            }
        }
    }
}
