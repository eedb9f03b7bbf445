package io.orchestrion.app.docs;

import io.orchestrion.kernel.json.Field;
import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.kernel.plan.Plans;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.jobs.JobsDoor;
import io.orchestrion.server.jobs.JobsErrors;
import io.orchestrion.server.orchestrations.OrchestrationErrors;
import io.orchestrion.server.orchestrations.OrchestrationsDoor;
import io.orchestrion.server.queue.QueueEndpoints;
import io.orchestrion.server.queue.QueueErrors;
import io.orchestrion.server.taskdoor.TaskErrors;
import io.orchestrion.server.taskdoor.TasksDoor;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Every endpoint with its fields, bounds, answers and errors.
final class ApiContractsPage {
    private static final JsonMapper JSON = JsonMapper.shared();

    private ApiContractsPage() {}

    static String text() {
        var out = new StringBuilder();
        out.append(
                """
                # API contracts

                Made from the endpoint catalogue that the router runs on; do not edit. Bodies are JSON. Authenticated
                endpoints take `Authorization: Bearer orch_live_…`. Every answer carries `X-Request-Id`. What workers do under
                `/api/queue` is also open to a worker token (`X-MoonMind-Worker-Token`) or a JWT of the configured issuer.

                A key is for its scopes: under "access" stand those of which an endpoint needs one. Under "limit" stands
                what the free plan allows; where it says so, paid plans allow more.

                | method | path | access | limit | what it does |
                |---|---|---|---|---|
                """);
        for (Endpoint endpoint : Doors.CATALOGUE) {
            out.append("| ")
                    .append(endpoint.method())
                    .append(" | [`")
                    .append(endpoint.path())
                    .append("`](#")
                    .append(endpoint.name().toLowerCase(java.util.Locale.ROOT))
                    .append(") | ")
                    .append(access(endpoint))
                    .append(" | ")
                    .append(limit(endpoint))
                    .append(" | ")
                    .append(endpoint.summary())
                    .append(" |\n");
        }
        var types = new LinkedHashMap<String, ObjectSpec>();
        for (Endpoint endpoint : Doors.CATALOGUE) {
            section(out, endpoint, types);
        }
        out.append("\n## Types\n");
        types.values().forEach(type -> type(out, type));
        return out.toString();
    }

    private static String access(Endpoint endpoint) {
        if (endpoint.access() == Access.PUBLIC) {
            return "public";
        }
        if (QueueEndpoints.forWorkers(endpoint)) {
            return "worker token, JWT, `worker`";
        }
        return endpoint.scopes().isEmpty()
                ? "any key"
                : "`" + String.join("`, `", endpoint.scopes()) + "`";
    }

    private static String limit(Endpoint endpoint) {
        return Doors.LIMITS.all().stream()
                .filter(limit -> limit.name().equals(endpoint.limit()))
                .findFirst()
                .map(limit -> limit.text(Plans.PUBLISHED.free()) + " per " + limit.by().word())
                .orElse("");
    }

    private static void section(
            StringBuilder out, Endpoint endpoint, Map<String, ObjectSpec> types) {
        out.append("\n## ").append(endpoint.name()).append("\n\n`");
        out.append(endpoint.method()).append(' ').append(endpoint.path()).append("`: ");
        out.append(endpoint.summary()).append(".\n");
        if (!endpoint.query().fields().isEmpty()) {
            out.append("\nQuery:\n\n");
            fields(out, endpoint.query());
        }
        ObjectSpec request = endpoint.request();
        if (request != null && !request.fields().isEmpty()) {
            out.append("\nBody (at most ").append(endpoint.maxBodyBytes()).append(" bytes):\n\n");
            fields(out, request);
        }
        if (!endpoint.notes().rawBody().isEmpty()) {
            out.append("\nBody: bytes of any length and media type, as they are.\n");
        }
        for (Field header : endpoint.notes().requestHeaders()) {
            out.append("\nHeader `").append(header.name()).append("`: ");
            out.append(header.doc()).append('\n');
        }
        endpoint.notes()
                .otherAnswers()
                .forEach(
                        (status, type) ->
                                out.append("\nAnswers ")
                                        .append(status)
                                        .append(
                                                type.isEmpty()
                                                        ? " without a body.\n"
                                                        : " with `" + type + "`.\n"));
        endpoint.responses()
                .forEach(
                        (status, spec) -> {
                            remember(types, spec);
                            out.append("\nAnswers ")
                                    .append(status)
                                    .append(" with [`")
                                    .append(spec.name())
                                    .append("`](#")
                                    .append(spec.name().toLowerCase(java.util.Locale.ROOT))
                                    .append(").\n");
                        });
        List<String> codes = errors(endpoint).stream().map(DoorError::code).toList();
        if (!codes.isEmpty()) {
            out.append("\nErrors: `").append(String.join("`, `", codes)).append("`.\n");
        }
    }

    private static List<? extends DoorError> errors(Endpoint endpoint) {
        return switch (endpoint.door()) {
            case TasksDoor.NAME -> TaskErrors.ALL.of(endpoint);
            case OrchestrationsDoor.NAME -> OrchestrationErrors.ALL.of(endpoint);
            case QueueEndpoints.DOOR -> QueueErrors.of(endpoint);
            case JobsDoor.NAME -> JobsErrors.of(endpoint);
            default -> List.of();
        };
    }

    private static void remember(Map<String, ObjectSpec> types, ObjectSpec spec) {
        types.putIfAbsent(spec.name(), spec);
        spec.nested().forEach(nested -> types.putIfAbsent(nested.name(), nested));
    }

    private static void type(StringBuilder out, ObjectSpec type) {
        out.append("\n### ").append(type.name()).append("\n\n");
        fields(out, type);
    }

    private static void fields(StringBuilder out, ObjectSpec spec) {
        JsonNode schema = JSON.readTree(spec.toJsonSchema());
        out.append("| field | required | form | meaning |\n|---|---|---|---|\n");
        for (Field field : spec.fields()) {
            out.append("| `")
                    .append(field.name())
                    .append("` | ")
                    .append(spec.isRequired(field.name()) ? "yes" : "no")
                    .append(" | ")
                    .append(form(schema.at("/properties/" + field.name())))
                    .append(" | ")
                    .append(field.doc())
                    .append(" |\n");
        }
    }

    /// A schema in a few words.
    private static String form(JsonNode schema) {
        var words = new ArrayList<String>();
        words.add(type(schema));
        if (schema.has("enum")) {
            var choices = new ArrayList<String>();
            schema.get("enum").forEach(choice -> choices.add("`" + choice.asString() + "`"));
            words.add("one of " + String.join(", ", choices));
        }
        bound(words, schema, "minimum", "from %s");
        bound(words, schema, "maximum", "to %s");
        bound(words, schema, "minLength", "at least %s characters");
        bound(words, schema, "maxLength", "at most %s characters");
        bound(words, schema, "pattern", "like `%s`");
        bound(words, schema, "format", "%s");
        bound(words, schema, "x-maxBytes", "at most %s bytes as compact JSON");
        bound(words, schema, "x-maxDepth", "at most %s deep");
        bound(words, schema, "default", "default `%s`");
        return String.join(", ", words).replace("|", "\\|");
    }

    private static String type(JsonNode schema) {
        JsonNode type = schema.path("type");
        if (type.isArray()) {
            List<String> all = new ArrayList<>();
            type.forEach(one -> all.add(one.asString()));
            return String.join(" or ", all);
        }
        return type.isMissingNode() ? "any" : type.asString();
    }

    private static void bound(List<String> words, JsonNode schema, String key, String pattern) {
        JsonNode value = schema.path(key);
        if (!value.isMissingNode() && !value.isNull()) {
            words.add(pattern.formatted(value.asString()));
        }
    }
}
