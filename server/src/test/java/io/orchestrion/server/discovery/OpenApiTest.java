package io.orchestrion.server.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.door.DoorError;
import io.orchestrion.server.door.ErrorForm;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Access;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.queue.QueueEndpoints;
import io.orchestrion.testkit.PublishedAnswers;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.PathItem;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeSet;

class OpenApiTest {
    private static final String TEXT = new String(CatalogueCheck.OPENAPI, StandardCharsets.UTF_8);
    private static final JsonNode DOCUMENT = JsonMapper.shared().readTree(TEXT);

    @SuppressWarnings("unused") // Read by @FieldSource.
    private static final List<Endpoint> ENDPOINTS =
            Doors.ALL.stream()
                    .flatMap(door -> Doors.CATALOGUE.ofDoor(door.name()).stream())
                    .toList();

    private static ErrorForm form(Endpoint endpoint) {
        return Doors.ALL.stream()
                .filter(door -> door.name().equals(endpoint.door()))
                .findFirst()
                .orElseThrow()
                .errorForm();
    }

    private static List<? extends DoorError> errors(Endpoint endpoint) {
        return form(endpoint).of(endpoint);
    }

    private static JsonNode operation(Endpoint endpoint) {
        return DOCUMENT.at(
                "/paths/"
                        + PublishedAnswers.escaped(endpoint.path())
                        + "/"
                        + endpoint.method().toLowerCase(Locale.ROOT));
    }

    /// T-018, T-310.
    @Test
    void it_is_openapi_3_1() {
        assertThat(DOCUMENT.get("openapi").asString()).matches("3\\.1\\.\\d+");
    }

    /// T-310: by the schema that the OpenAPI Initiative publishes.
    @Test
    void the_official_schema_has_nothing_against_it() {
        assertThat(OpenApiReaders.bySchema(TEXT)).isEmpty();
    }

    /// T-310: by a parser that generators of clients use.
    @Test
    void another_parser_reads_it_without_a_complaint() {
        assertThat(OpenApiReaders.byParser(TEXT)).isEmpty();
        var operations = new TreeSet<String>();
        for (PathItem path : OpenApiReaders.parsed(TEXT).getOpenAPI().getPaths().values()) {
            path.readOperations().stream().map(Operation::getOperationId).forEach(operations::add);
        }
        assertThat(operations)
                .isEqualTo(new TreeSet<>(ENDPOINTS.stream().map(Endpoint::name).toList()));
    }

    /// T-310: both readers would see a fault, each of its own kind.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "openapi":"3.1.1"             | "openapi":"3.0"          | schema
                    "title":"Orchestrion"         | "titel":"Orchestrion"    | schema, parser
                    "in":"path"                   | "in":"road"              | schema, parser
                    "description":"Create task."  | "describtion":"x"        | schema
                    "type":"object"               | "type":"objekt"          | schema
                    components/schemas/TaskCreate | components/schemas/Gone  | dangling
                    """)
    void a_broken_document_is_found_out(String good, String bad, String by) {
        // A part of it is enough, and the official schema takes its time over the whole.
        var part = (ObjectNode) DOCUMENT.deepCopy();
        ((ObjectNode) part.get("paths")).retain(List.of("/v1/tasks", "/v1/tasks/{id}"));
        assertThat(part.toString()).contains(good);
        String broken = part.toString().replace(good, bad);
        if (by.contains("schema")) {
            assertThat(OpenApiReaders.bySchema(broken)).isNotEmpty();
        }
        if (by.contains("parser")) {
            assertThat(OpenApiReaders.byParser(broken)).isNotEmpty();
        }
        if (by.contains("dangling")) {
            assertThat(dangling(JsonMapper.shared().readTree(broken))).isNotEmpty();
        }
    }

    /// T-310: no reference leads nowhere.
    @Test
    void every_reference_leads_somewhere() {
        assertThat(dangling(DOCUMENT)).isEmpty();
        assertThat(DOCUMENT.findValues("$ref")).hasSizeGreaterThan(100);
    }

    private static List<String> dangling(JsonNode document) {
        return document.findValues("$ref").stream()
                .map(JsonNode::asString)
                .filter(ref -> document.at(ref.substring(1)).isMissingNode())
                .toList();
    }

    /// T-310: the whole catalogue, with what each endpoint takes and who may call it.
    @ParameterizedTest
    @FieldSource("ENDPOINTS")
    void an_endpoint_is_described(Endpoint endpoint) {
        JsonNode operation = operation(endpoint);
        assertThat(operation.get("operationId").asString()).isEqualTo(endpoint.name());
        assertThat(operation.has("requestBody"))
                .isEqualTo(endpoint.request() != null || !endpoint.notes().rawBody().isEmpty());
        assertThat(operation.has("security"))
                .isEqualTo(
                        endpoint.access() == Access.PUBLIC || QueueEndpoints.forWorkers(endpoint));
        if (QueueEndpoints.forWorkers(endpoint)) {
            assertThat(operation.get("security").findValues("workerToken")).hasSize(1);
            assertThat(operation.get("security").findValues("workerJwt")).hasSize(1);
            assertThat(operation.get("security").findValues("apiKey")).hasSize(1);
        }
        assertThat(strings(operation.get("x-required-scopes")))
                .containsExactlyElementsOf(endpoint.scopes());
        assertThat(
                        operation.get("parameters").values().stream()
                                .filter(each -> !each.get("in").asString().equals("header"))
                                .map(each -> each.get("name").asString()))
                .hasSize(endpoint.pathParameters().size() + endpoint.query().fields().size())
                .containsAll(endpoint.pathParameters());
        endpoint.responses()
                .forEach(
                        (status, spec) ->
                                assertThat(operation.at("/responses/" + status).toString())
                                        .contains("#/components/schemas/" + spec.name()));
    }

    /// T-310, S-25: under its status, with its code, and with an example.
    @ParameterizedTest
    @FieldSource("ENDPOINTS")
    void every_error_of_an_endpoint_is_described(Endpoint endpoint) {
        for (DoorError error : errors(endpoint)) {
            JsonNode response = resolved(operation(endpoint).at("/responses/" + error.status()));
            assertThat(response.findValues("enum"))
                    .as(error.code())
                    .anyMatch(codes -> strings(codes).contains(error.code()));
            String prefix = form(endpoint).prefix();
            assertThat(
                            response.findValues("examples").stream()
                                    .flatMap(each -> each.values().stream()))
                    .anyMatch(
                            each ->
                                    each.path("$ref")
                                            .asString("")
                                            .equals(
                                                    "#/components/examples/"
                                                            + prefix
                                                            + error.code()));
            assertThat(response.findValue("examples").propertyNames()).contains(error.code());
        }
        assertThat(errors(endpoint).stream().map(DoorError::code)).containsAll(endpoint.errors());
    }

    private static JsonNode resolved(JsonNode node) {
        return node.has("$ref") ? DOCUMENT.at(node.get("$ref").asString().substring(1)) : node;
    }

    private static List<String> strings(JsonNode array) {
        return array.values().stream().map(JsonNode::asString).toList();
    }

    /// T-310: the headers that callers live by.
    @Test
    void headers_are_described() {
        JsonNode create = DOCUMENT.at("/paths/~1v1~1tasks/post");
        assertThat(create.get("parameters").values())
                .anyMatch(each -> each.get("name").asString().equals("Idempotency-Key"));
        assertThat(create.at("/responses/201/headers").propertyNames())
                .contains("X-Request-Id", "Location", "RateLimit", "RateLimit-Policy");
        assertThat(resolved(create.at("/responses/429")).get("headers").propertyNames())
                .contains("X-Request-Id", "Retry-After", "RateLimit");
        assertThat(DOCUMENT.at("/components/securitySchemes/apiKey/scheme").asString())
                .isEqualTo("bearer");
    }

    /// T-310: what the document shows, its own schemas accept.
    @Test
    void every_example_fits_its_own_schema() {
        var checked = new ArrayList<String>();
        for (Endpoint endpoint : ENDPOINTS) {
            String at =
                    "/paths/"
                            + PublishedAnswers.escaped(endpoint.path())
                            + "/"
                            + endpoint.method().toLowerCase(Locale.ROOT);
            if (operation(endpoint).has("requestBody")) {
                fits(at + "/requestBody", checked);
            }
            for (String status : operation(endpoint).get("responses").propertyNames()) {
                fits(at + "/responses/" + status, checked);
            }
        }
        for (String name : DOCUMENT.at("/components/responses").propertyNames()) {
            fits("/components/responses/" + name, checked);
        }
        assertThat(checked).hasSizeGreaterThan(40);
    }

    private static void fits(String holder, List<String> checked) {
        for (String type : List.of("application~1json", "application~1problem+json")) {
            String at = holder + "/content/" + type;
            JsonNode media = DOCUMENT.at(at);
            var shown = new ArrayList<JsonNode>();
            if (media.has("example")) {
                shown.add(media.get("example"));
            }
            media.path("examples").forEach(each -> shown.add(resolved(each).get("value")));
            for (JsonNode example : shown) {
                var schema = CatalogueCheck.PUBLISHED.schema(at + "/schema");
                assertThat(schema.validate(example)).as(holder).isEmpty();
                checked.add(holder);
            }
        }
    }

    /// T-263, C-05: a plain top-level field would not be OpenAPI.
    @Test
    void the_contract_is_an_extension() {
        assertThat(DOCUMENT.has("agent_contract")).isFalse();
        assertThat(DOCUMENT.at("/x-agent_contract/version").asString()).isEqualTo("1");
        assertThat(DOCUMENT.at("/x-agent_contract/next_actions").size()).isPositive();
    }
}
