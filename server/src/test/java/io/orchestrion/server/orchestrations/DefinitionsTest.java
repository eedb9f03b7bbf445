package io.orchestrion.server.orchestrations;

import static io.orchestrion.server.orchestrations.OrchestrationApi.DEFINITIONS;
import static io.orchestrion.server.orchestrations.OrchestrationApi.RETRY;
import static io.orchestrion.server.orchestrations.OrchestrationApi.codes;
import static io.orchestrion.server.orchestrations.OrchestrationApi.document;
import static io.orchestrion.server.orchestrations.OrchestrationApi.documentWith;
import static io.orchestrion.server.orchestrations.OrchestrationApi.refused;
import static io.orchestrion.server.orchestrations.OrchestrationApi.step;
import static io.orchestrion.server.orchestrations.OrchestrationApi.task;
import static io.orchestrion.server.orchestrations.OrchestrationApi.version;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.util.List;

/// Definitions over HTTP.
@Timeout(180)
class DefinitionsTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final OrchestrationApi mine = OrchestrationApi.on(server);

    private static final String GOOD = document(task("a", ""));

    /// E-001, E-003, E-005, E-010.
    @Test
    void a_new_definition_is_a_draft_of_version_1_and_is_shown_as_it_was_sent() {
        Reply made = mine.create(GOOD);
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        String id = made.text("/orchestration_definition_id");
        assertThat(made.number("/version")).isEqualTo(1);
        assertThat(made.text("/status")).isEqualTo("draft");
        assertThat(made.header("Location")).isEqualTo(version(id, 1));
        assertThat(made.text("/tenant_id")).isEqualTo(mine.tasks().accountId());
        Reply got = mine.api().get(DEFINITIONS + "/" + id);
        assertThat(got.text("/orchestration_definition_id")).isEqualTo(id);
        assertThat(got.at("/document").toString()).isEqualTo(GOOD);
        assertThat(got.at("/document/policies/retry").toString()).isEqualTo(RETRY);
        assertThat(mine.draft(GOOD)).isNotEqualTo(id);
        assertThat(
                        mine.api().get(DEFINITIONS).at("/items").values().stream()
                                .allMatch(each -> each.has("orchestration_definition_id")))
                .isTrue();
    }

    /// E-002, and both edges.
    @Test
    void a_name_is_needed() {
        for (String name : List.of("\"\"", "\" \"", "null", "7", "\"" + "n".repeat(201) + "\"")) {
            refused(
                    mine.create(GOOD.replace("\"name\":\"test\"", "\"name\":" + name)),
                    400,
                    "invalid_request");
        }
        refused(mine.create(GOOD.replace("\"name\":\"test\",", "")), 400, "invalid_request");
        assertThat(rows()).isZero();
        for (String name : List.of("n", "n".repeat(200))) {
            mine.draft(GOOD.replace("\"name\":\"test\"", "\"name\":\"" + name + "\""));
        }
    }

    private int rows() {
        return mine.api().get(DEFINITIONS).at("/items").size();
    }

    /// E-004.
    @Test
    void a_status_that_there_is_not_is_refused() {
        refused(mine.api().get(DEFINITIONS + "?status=active"), 400, "invalid_request", "status");
        String id = mine.published(GOOD);
        mine.draft(GOOD);
        Reply published = mine.api().get(DEFINITIONS + "?status=published");
        assertThat(published.at("/items").size()).isEqualTo(1);
        assertThat(published.text("/items/0/orchestration_definition_id")).isEqualTo(id);
    }

    /// E-006, E-021, E-022, E-024.
    @Test
    void a_draft_with_faults_is_not_published_and_all_faults_are_named() {
        String id =
                mine.draft(
                        document(
                                task("a", ",\"on_success\":\"gone\""),
                                task("a", ""),
                                task("lost", "")));
        Reply refusal = mine.publish(id, 1);
        refused(refusal, 400, "invalid_request");
        assertThat(codes(refusal, "/details"))
                .contains("duplicate_step_id", "unknown_step", "unreachable_step");
        assertThat(refusal.at("/details/0/pointer").asString()).startsWith("/steps");
        assertThat(mine.api().get(version(id, 1)).text("/status")).isEqualTo("draft");
        assertThat(mine.publish(mine.draft(GOOD), 1).text("/status")).isEqualTo("published");
    }

    /// E-023.
    @Test
    void a_cycle_is_not_published() {
        String id =
                mine.draft(
                        document(
                                task("a", ",\"on_success\":\"b\""),
                                task("b", ",\"on_success\":\"a\"")));
        Reply refusal = mine.publish(id, 1);
        refused(refusal, 400, "invalid_request");
        assertThat(codes(refusal, "/details")).contains("cycle");
    }

    /// E-007, E-008, E-013.
    @Test
    void a_version_goes_from_draft_to_published_to_deprecated_and_no_other_way() {
        String id = mine.draft(GOOD);
        refused(mine.api().post(version(id, 1) + "/deprecate"), 409, "invalid_transition");
        assertThat(mine.publish(id, 1).status()).isEqualTo(200);
        refused(mine.publish(id, 1), 409, "invalid_transition");
        refused(put(id, 1, GOOD), 409, "definition_immutable");
        Reply deprecated = mine.api().post(version(id, 1) + "/deprecate");
        assertThat(deprecated.text("/status")).isEqualTo("deprecated");
        assertThat(deprecated.text("/deprecated_at")).isNotEmpty();
        refused(mine.publish(id, 1), 409, "invalid_transition");
        refused(mine.api().post(version(id, 1) + "/deprecate"), 409, "invalid_transition");
        refused(put(id, 1, GOOD), 409, "definition_immutable");
        assertThat(mine.api().get(version(id, 1)).at("/document").toString()).isEqualTo(GOOD);
    }

    private Reply put(String id, int version, String document) {
        return mine.api().send("PUT", version(id, version), document);
    }

    /// E-009.
    @Test
    void steps_are_needed() {
        refused(mine.create(document()), 400, "invalid_request", "/steps");
        refused(
                mine.create("{\"name\":\"n\",\"input_schema\":{}}"),
                400,
                "invalid_request",
                "/steps");
    }

    /// E-011.
    @Test
    void schemas_must_be_schemas() {
        for (String field : List.of("input_schema", "output_schema")) {
            refused(
                    mine.create(
                            documentWith(
                                    "\"" + field + "\":{\"type\":\"nothing\"},", task("a", ""))),
                    400,
                    "invalid_request",
                    field);
        }
    }

    /// E-015.
    @Test
    void a_draft_can_be_rewritten_any_number_of_times() {
        String id = mine.draft(GOOD);
        for (String name : List.of("one", "two", "three")) {
            Reply reply = put(id, 1, GOOD.replace("\"test\"", "\"" + name + "\""));
            assertThat(reply.status()).as(reply.text()).isEqualTo(200);
            assertThat(mine.api().get(version(id, 1)).text("/name")).isEqualTo(name);
        }
        refused(put(id, 1, "{\"name\":\"n\"}"), 400, "invalid_request");
        assertThat(mine.publish(id, 1).status()).isEqualTo(200);
    }

    @Test
    void there_is_one_draft_at_a_time_and_a_version_without_a_body_is_a_copy() {
        String id = mine.draft(GOOD);
        refused(mine.api().post(DEFINITIONS + "/" + id + "/versions"), 409, "draft_exists");
        mine.publish(id, 1);
        Reply copy = mine.api().post(DEFINITIONS + "/" + id + "/versions");
        assertThat(copy.status()).as(copy.text()).isEqualTo(201);
        assertThat(copy.number("/version")).isEqualTo(2);
        assertThat(copy.text("/status")).as("E-005").isEqualTo("draft");
        assertThat(copy.header("Location")).isEqualTo(version(id, 2));
        assertThat(copy.at("/document").toString()).isEqualTo(GOOD);
        mine.publish(id, 2);
        Reply other =
                mine.api().post(DEFINITIONS + "/" + id + "/versions", GOOD.replace("test", "new"));
        assertThat(other.text("/name")).isEqualTo("new");
        assertThat(mine.api().get(DEFINITIONS + "/" + id).number("/version")).isEqualTo(3);
        Reply first = mine.api().get(DEFINITIONS + "/" + id + "/versions?limit=2");
        assertThat(first.at("/items/0/version").asInt()).isEqualTo(3);
        Reply second =
                mine.api()
                        .get(
                                DEFINITIONS
                                        + "/"
                                        + id
                                        + "/versions?limit=2&cursor="
                                        + first.text("/next_cursor"));
        assertThat(second.at("/items/0/version").asInt()).isEqualTo(1);
        assertThat(second.at("/next_cursor").isNull()).isTrue();
    }

    /// E-025.
    @Test
    void another_account_sees_nothing_of_it() {
        String id = mine.published(GOOD);
        OrchestrationApi other = OrchestrationApi.on(server);
        for (String path :
                List.of(
                        DEFINITIONS + "/" + id,
                        DEFINITIONS + "/" + id + "/versions",
                        version(id, 1),
                        version(id, 1) + "/graph")) {
            refused(other.api().get(path), 404, "definition_not_found");
        }
        refused(other.api().send("PUT", version(id, 1), GOOD), 404, "definition_not_found");
        refused(other.publish(id, 1), 404, "definition_not_found");
        refused(other.api().post(version(id, 1) + "/deprecate"), 404, "definition_not_found");
        refused(
                other.api().post(DEFINITIONS + "/" + id + "/versions"),
                404,
                "definition_not_found");
        refused(other.start(id, ""), 404, "definition_not_found");
        assertThat(other.api().get(DEFINITIONS).at("/items").size()).isZero();
    }

    /// E-026.
    @Test
    void what_is_exported_can_be_sent_again() {
        Reply made = mine.create(GOOD);
        String exported =
                mine.api()
                        .get(DEFINITIONS + "/" + made.text("/orchestration_definition_id"))
                        .at("/document")
                        .toString();
        Reply valid = mine.api().post(DEFINITIONS + "/validate", exported);
        assertThat(valid.at("/valid").asBoolean()).as(valid.text()).isTrue();
        assertThat(mine.create(exported).text("/checksum")).isEqualTo(made.text("/checksum"));
        assertThat(valid.text("/checksum")).isEqualTo(made.text("/checksum"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "{", "[]", "7", "{\"name\":\"a\",\"name\":\"b\"}", "{\"x\":1}"})
    void validating_tells_of_every_fault_and_stores_nothing(String document) {
        Reply reply = mine.api().post(DEFINITIONS + "/validate", document);
        assertThat(reply.status()).as(reply.text()).isEqualTo(200);
        assertThat(reply.at("/valid").asBoolean()).isFalse();
        assertThat(reply.at("/findings").size()).isPositive();
        assertThat(rows()).isZero();
        refused(mine.create(document), 400, "invalid_request");
    }

    /// E-027, E-028, E-029, E-037, E-038, E-039, E-040, E-041.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "step_id":"a",                 |                                   | /steps/0
                    "step_id":"a"                  | "step_id":""                      | step_id
                    "name":"Step a",               |                                   | /steps/0
                    "type":"task"                  | "type":"robot"                    | type
                    ,"handler":"task:do_a"         |                                   | /steps/0
                    "handler":"task:do_a"          | "handler":"ftp:x"                 | handler
                    ,"timeout_ms":600000           |                                   | /steps/0
                    "timeout_ms":600000            | "timeout_ms":0                    | timeout_ms
                    "timeout_ms":600000            | "timeout_ms":-1                   | timeout_ms
                    "timeout_ms":600000            | "timeout_ms":"9"                  | timeout_ms
                    "idempotency_strategy":"SAFE_TO_RETRY" | "idempotency_strategy":"MAYBE" | idempotency_strategy
                    "handler":"task:do_a"          | "handler":"task:do_a","compensation_handler":"x" | compensation_handler
                    "retry":                       | "tries":                          | policies
                    "max_attempts":2               | "max_attempts":0                  | max_attempts
                    """)
    void a_step_that_is_not_one_is_refused(String good, String bad, String where) {
        String broken = GOOD.replace(good, bad == null ? "" : bad);
        assertThat(broken).isNotEqualTo(GOOD);
        Reply reply = mine.create(broken);
        refused(reply, 400, "invalid_request", where);
        assertThat(reply.at("/details/0/hint").asString()).isNotEmpty();
    }

    /// E-029: each of the six.
    @Test
    void there_are_six_types_of_steps() {
        String document =
                document(
                        step(
                                "choose",
                                "decision",
                                ",\"branches\":[{\"when\":{\"path\":\"$.input.n\",\"op\":\"eq\",\"value\":1},"
                                    + "\"next\":\"rest\"}],\"default\":\"rest\""),
                        step("rest", "wait", ",\"duration_ms\":1000,\"on_success\":\"ask\""),
                        step("ask", "human_approval", ",\"on_success\":\"call\""),
                        step(
                                "call",
                                "external_call",
                                ",\"handler\":\"http:https://example.com/x\",\"on_success\":\"tell\""),
                        step(
                                "tell",
                                "notify",
                                ",\"handler\":\"http:https://example.com/y\",\"on_success\":\"work\""),
                        task("work", ""));
        Reply valid = mine.api().post(DEFINITIONS + "/validate", document);
        assertThat(valid.text()).contains("\"findings\"");
        assertThat(
                        valid.at("/findings").values().stream()
                                .filter(
                                        each ->
                                                each.path("code")
                                                        .asString("")
                                                        .equals("invalid_value"))
                                .filter(
                                        each ->
                                                each.path("pointer")
                                                        .asString("")
                                                        .endsWith("/type")))
                .as(valid.text())
                .isEmpty();
    }

    @Test
    void a_document_has_a_largest_size() {
        String most = GOOD.substring(0, GOOD.length() - 1);
        String filler = ",\"description\":\"d\"}";
        String large = most + filler + " ".repeat(1_048_576 - most.length() - filler.length());
        assertThat(mine.create(large).status()).isEqualTo(201);
        refused(mine.create(large + " "), 400, "invalid_request");
        refused(mine.create(large + " ".repeat(2_000)), 400, "invalid_request", "bytes");
    }

    @Test
    void the_graph_is_data_or_a_chart() {
        String id = mine.draft(document(task("a", ",\"on_success\":\"b\""), task("b", "")));
        Reply graph = mine.api().get(version(id, 1) + "/graph");
        assertThat(graph.text("/start_step_id")).isEqualTo("a");
        assertThat(graph.at("/nodes").size()).isEqualTo(2);
        JsonNode edge = graph.at("/edges/0");
        assertThat(edge.get("from").asString()).isEqualTo("a");
        assertThat(edge.get("to").asString()).isEqualTo("b");
        assertThat(edge.get("kind").asString()).isEqualTo("success");
        Reply chart = mine.api().get(version(id, 1) + "/graph?format=mermaid");
        assertThat(chart.header("Content-Type")).startsWith("text/vnd.mermaid");
        assertThat(chart.text()).startsWith("flowchart TD").contains("Step a");
        Reply asked = mine.api().with("Accept", "text/vnd.mermaid").get(version(id, 1) + "/graph");
        assertThat(asked.text()).isEqualTo(chart.text());
        refused(mine.api().get(version(id, 1) + "/graph?format=svg"), 400, "invalid_request");
    }

    @Test
    void the_schema_of_definitions_is_served() {
        Reply schema = mine.api().get(OrchestrationApi.ROOT + "/definition-schema");
        assertThat(schema.status()).isEqualTo(200);
        assertThat(schema.header("Content-Type")).startsWith("application/schema+json");
        assertThat(schema.text()).contains("json-schema.org/draft/2020-12", "input_schema");
    }

    @Test
    void what_can_be_no_id_or_no_version_is_not_found() {
        String id = mine.draft(GOOD);
        for (String path :
                List.of(
                        DEFINITIONS + "/nothing",
                        DEFINITIONS + "/nothing/versions",
                        DEFINITIONS + "/" + OrchestrationApi.someId(),
                        DEFINITIONS + "/" + OrchestrationApi.someId() + "/versions",
                        DEFINITIONS + "/" + id + "/versions/0",
                        DEFINITIONS + "/" + id + "/versions/2",
                        DEFINITIONS + "/" + id + "/versions/one",
                        DEFINITIONS + "/" + id + "/versions/99999999999999999999")) {
            refused(mine.api().get(path), 404, "definition_not_found");
        }
    }

    @Test
    void lists_are_paged_and_filtered_by_name() {
        for (String name : List.of("one", "two", "three")) {
            mine.draft(GOOD.replace("\"test\"", "\"" + name + "\""));
        }
        Reply first = mine.api().get(DEFINITIONS + "?limit=2");
        assertThat(first.at("/items/0/name").asString()).isEqualTo("three");
        Reply rest = mine.api().get(DEFINITIONS + "?limit=2&cursor=" + first.text("/next_cursor"));
        assertThat(rest.at("/items").size()).isEqualTo(1);
        assertThat(rest.at("/items/0/name").asString()).isEqualTo("one");
        assertThat(rest.at("/next_cursor").isNull()).isTrue();
        assertThat(mine.api().get(DEFINITIONS + "?name=two").at("/items").size()).isEqualTo(1);
        for (String query : List.of("limit=0", "limit=101", "cursor=nothing", "bogus=1")) {
            refused(mine.api().get(DEFINITIONS + "?" + query), 400, "invalid_request");
        }
        assertThat(mine.api().get(DEFINITIONS + "?limit=100").status()).isEqualTo(200);
    }
}
