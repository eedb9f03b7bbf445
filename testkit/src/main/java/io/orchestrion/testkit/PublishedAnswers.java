package io.orchestrion.testkit;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The answers that an OpenAPI document promises: for each operation and status, its media types
/// and their schemas, with the references inside the document followed.
public final class PublishedAnswers {
    private static final String AT = "https://orchestrion.invalid/openapi.json";
    private static final String JSON = "application/json";

    private final JsonNode document;
    private final List<String> paths;

    /// The document as one schema, whose parts are those of the answers: asked for one by one, each
    /// would bring a copy of the whole document along.
    private final Schema whole;

    private final Map<String, Schema> parts = new ConcurrentHashMap<>();

    public PublishedAnswers(byte[] openApi) {
        String text = new String(openApi, StandardCharsets.UTF_8);
        document = JsonMapper.shared().readTree(text);
        whole =
                SchemaRegistry.withDefaultDialect(
                                SpecificationVersion.DRAFT_2020_12,
                                builder -> builder.schemas(Map.of(AT, text)))
                        .getSchema(SchemaLocation.of(AT));
        paths = List.copyOf(document.get("paths").propertyNames());
    }

    /// Fails when the answer is not one that the document promises.
    public void check(String method, String path, Reply reply) {
        String plain = path.split("\\?", 2)[0];
        String what = method + " " + plain + " " + reply.status();
        String operation = operation(method, plain);
        // What no operation answers has the door's error body: an unknown path, a wrong method.
        if (operation == null) {
            validate("/components/schemas/" + errorOf(plain), method, reply, what);
            return;
        }
        String response = operation + "/responses/" + reply.status();
        if (document.at(response).isMissingNode()) {
            response = operation + "/responses/default";
        }
        String named = document.at(response).path("$ref").asString("");
        response = named.isEmpty() ? response : named.substring("#".length());
        JsonNode content = document.at(response).path("content");
        String type = reply.header("Content-Type").split(";", 2)[0].strip();
        if (content.isMissingNode()) {
            if (!reply.text().isEmpty()) {
                throw new AssertionError(what + " has a body, and none is published");
            }
        } else if (!content.has(type) && !content.has("*/*")) {
            throw new AssertionError(what + " is of the unpublished media type " + type);
        } else if (type.equals(JSON) || type.endsWith("+json")) {
            validate(response + "/content/" + escaped(type) + "/schema", method, reply, what);
        }
    }

    private static String errorOf(String path) {
        if (path.equals("/api/queue") || path.startsWith("/api/queue/")) {
            return "QueueProblem";
        }
        if (path.equals("/v1/orchestrations") || path.startsWith("/v1/orchestrations/")) {
            return "OrchestrationError";
        }
        return path.matches("/(v1/(jobs|clients|webhooks)|problems)(/.*)?")
                ? "JobsProblem"
                : "Error";
    }

    /// Whether the document has an operation for the request.
    public boolean knows(String method, String path) {
        return operation(method, path.split("\\?", 2)[0]) != null;
    }

    private void validate(String pointer, String method, Reply reply, String what) {
        if (method.equals("HEAD")) {
            return;
        }
        List<Error> errors = schema(pointer).validate(reply.body());
        if (!errors.isEmpty()) {
            throw new AssertionError(
                    what + " is not as published: " + errors + "\n" + reply.text());
        }
    }

    /// The compiled schema at a place in the document.
    public Schema schema(String pointer) {
        return parts.computeIfAbsent(pointer, this::part);
    }

    private synchronized Schema part(String pointer) {
        return whole.getRefSchema(SchemaLocation.of(AT + "#" + pointer).getFragment());
    }

    public JsonNode document() {
        return document;
    }

    /// The pointer to the operation, null when there is none. A literal path beats a parameter
    /// under any method, as in the router; HEAD is answered like GET.
    private @Nullable String operation(String method, String path) {
        String template =
                paths.contains(path)
                        ? path
                        : paths.stream()
                                .filter(each -> path.matches(pattern(each)))
                                .findFirst()
                                .orElse(null);
        if (template == null) {
            return null;
        }
        String verb = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
        String pointer = "/paths/" + escaped(template) + "/" + verb;
        return document.at(pointer).isMissingNode() ? null : pointer;
    }

    private static String pattern(String template) {
        return template.replace(".", "\\.").replaceAll("\\{[^/]*}", "[^/]+");
    }

    /// A name as a step of a JSON pointer.
    public static String escaped(String name) {
        return name.replace("~", "~0").replace("/", "~1");
    }
}
