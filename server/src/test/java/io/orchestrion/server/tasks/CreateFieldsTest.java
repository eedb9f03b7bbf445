package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.UUID;

class CreateFieldsTest {
    private static final JsonMapper EXACT =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();
    private static final List<String> SYSTEM_MANAGED =
            List.of(
                    "id",
                    "status",
                    "attemptCount",
                    "claimedBy",
                    "claimedAt",
                    "leaseExpiresAt",
                    "lastHeartbeatAt",
                    "createdAt",
                    "updatedAt",
                    "completedAt",
                    "lastFailedAt",
                    "lastFailureReason",
                    "result",
                    "outputId");

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    private Reply post(String body) {
        return tasks.api().post("/v1/tasks", body);
    }

    private Reply with(String field) {
        return post("{\"type\":\"a\",\"payload\":{}%s}".formatted(field));
    }

    private Reply typed(String type) {
        return post("{\"type\":%s,\"payload\":{}}".formatted(type));
    }

    private Reply carrying(String payload) {
        return post("{\"type\":\"a\",\"payload\":%s}".formatted(payload));
    }

    private Reply accepted(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(201);
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isEqualTo(1);
        return reply;
    }

    private void refused(Reply reply, String field) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(400);
        assertThat(reply.error()).isEqualTo("invalid_request");
        assertThat(reply.text("/message")).contains(field);
        assertThat(Storage.of(server).taskCount(tasks.accountId())).isZero();
    }

    /// T-041, T-042.
    @ParameterizedTest
    @ValueSource(strings = {"a", "Z", "0", "_", "-", "build_image-2", "claim"})
    void a_type_is_letters_digits_dash_and_underscore(String type) {
        assertThat(accepted(typed('"' + type + '"')).text("/task/type")).isEqualTo(type);
    }

    /// T-040, T-042.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "null",
                "\"\"",
                "5",
                "true",
                "[\"a\"]",
                "{}",
                "\" \"",
                "\"a b\"",
                "\"a.b\"",
                "\"a/b\"",
                "\"a:b\"",
                "\"ä\"",
                "\"é\"",
                "\"٣\"",
                "\"a\\n\"",
                "\"\\na\"",
                "\"😀\""
            })
    void another_type_is_refused(String type) {
        refused(typed(type), "type");
    }

    /// T-040, T-043.
    @Test
    void type_and_payload_are_required() {
        refused(post("{\"payload\":{}}"), "type");
        refused(post("{\"type\":\"a\"}"), "payload");
        refused(post("{}"), "type");
    }

    /// T-041.
    @Test
    void a_type_has_at_most_100_characters() {
        refused(typed('"' + "t".repeat(101) + '"'), "type");
        accepted(typed('"' + "t".repeat(100) + '"'));
    }

    /// T-043, T-044.
    @ParameterizedTest
    @ValueSource(
            strings = {"null", "[]", "[{}]", "\"text\"", "\"{}\"", "5", "1.5", "true", "false"})
    void a_payload_that_is_no_object_is_refused(String payload) {
        refused(carrying(payload), "payload");
    }

    /// T-045: bytes of the compact JSON, so blanks in the request do not count and what is outside
    /// ASCII counts for more than one.
    @Test
    void a_payload_has_at_most_65536_bytes() {
        refused(carrying("{\"s\":\"" + "x".repeat(65_536 - 7) + "\"}"), "payload");
        refused(carrying("{\"s\":\"" + "é".repeat((65_536 - 8) / 2) + "x\"}"), "payload");
        refused(carrying("{\"s\":\"" + "\\n".repeat((65_536 - 8) / 2) + "x\"}"), "payload");
        accepted(carrying("{\"s\":\"" + "x".repeat(65_536 - 8) + "\"}"));
    }

    /// T-045.
    @ParameterizedTest
    @ValueSource(strings = {"é", "😀", "\\n", "\\u00e9"})
    void a_payload_of_65536_bytes_is_accepted_whatever_it_is_made_of(String unit) {
        int each = unit.equals("😀") ? 4 : 2;
        String text = unit.repeat((65_536 - 8) / each);
        Reply created = accepted(carrying("{\"s\":\"" + text + "\"}"));
        assertThat(created.text("/task/payload/s")).hasSizeGreaterThan(16_000);
    }

    /// T-045: blanks do not count.
    @Test
    void whitespace_in_the_request_is_not_part_of_the_payload() {
        accepted(
                carrying(
                        " { \"s\" : \""
                                + "x".repeat(65_536 - 8)
                                + "\""
                                + " \n\t".repeat(10_000)
                                + "} "));
    }

    /// T-046: the payload itself is depth 1, arrays count like objects.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"b\":{\"c\":{\"d\":{}}}}}",
                "{\"a\":{\"b\":{\"c\":{\"d\":{\"leaf\":1}}}}}",
                "{\"a\":[[[[1,2,3]]]]}",
                "{\"a\":[{\"b\":[{}]}],\"z\":{}}"
            })
    void a_payload_of_depth_5_is_accepted(String payload) {
        assertThat(accepted(carrying(payload)).at("/task/payload"))
                .isEqualTo(EXACT.readTree(payload));
    }

    /// T-046.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"a\":{\"b\":{\"c\":{\"d\":{\"e\":{}}}}}}",
                "{\"a\":[[[[[]]]]]}",
                "{\"z\":1,\"a\":[{\"b\":[{\"c\":[]}]}]}"
            })
    void a_payload_of_depth_6_is_refused(String payload) {
        refused(carrying(payload), "payload");
    }

    /// T-047: kept as JSON, and back with the same value. The column is text, which keeps numbers
    /// as they were written.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"\":\"\",\" \":\" \"}",
                "{\"s\":\"Grüße, мир, 世界, 😀, \\u2028, \\ud83d\\ude00\"}",
                "{\"s\":\"quote \\\" backslash \\\\ slash \\/ tab \\t bell \\u0007 del \\u007f\"}",
                "{\"n\":[0,-0,1,-1,9007199254740993,123456789012345678901234567890]}",
                "{\"n\":[0.1,1.10,-1.5e-10,1E+3,1e300,123456789.123456789123456789]}",
                "{\"b\":[true,false,null],\"o\":{\"z\":1,\"a\":2}}",
                "{\"$ref\":\"x\",\"__proto__\":1,\"constructor\":{},\"'; drop\":1}"
            })
    void a_payload_comes_back_unchanged_in_value(String payload) {
        String id = accepted(carrying(payload)).text("/task/id");
        JsonNode sent = EXACT.readTree(payload);
        for (Reply reply : List.of(tasks.get(id), tasks.claim("a"), tasks.api().get("/v1/tasks"))) {
            JsonNode body = EXACT.readTree(reply.text());
            JsonNode task = body.has("tasks") ? body.at("/tasks/0") : body.get("task");
            assertThat(same(task.get("payload"), sent)).as(reply.text()).isTrue();
        }
        String stored =
                server.database()
                        .value("select payload from work where id = ?", UUID.fromString(id));
        assertThat(same(EXACT.readTree(stored), sent)).as(stored).isTrue();
    }

    /// By value: 1E+3 and 1000 are the same number.
    private static boolean same(JsonNode left, JsonNode right) {
        return left.equals(
                (a, b) ->
                        a.isNumber() && b.isNumber()
                                ? a.decimalValue().compareTo(b.decimalValue())
                                : a.equals(b) ? 0 : 1,
                right);
    }

    /// T-048, T-049, T-050: both edges of each, and what is given comes back.
    @ParameterizedTest
    @CsvSource({
        "priority, 0",
        "priority, 1",
        "priority, 100",
        "maxAttempts, 1",
        "maxAttempts, 10",
        "leaseDurationSeconds, 30",
        "leaseDurationSeconds, 3600"
    })
    void a_number_within_its_bounds_is_taken(String field, int value) {
        Reply created = accepted(with(",\"%s\":%d".formatted(field, value)));
        assertThat(created.number("/task/" + field)).isEqualTo(value);
        assertThat(tasks.get(created.text("/task/id")).number("/task/" + field)).isEqualTo(value);
    }

    /// T-048, T-049, T-050.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    priority             | -1
                    priority             | 101
                    priority             | 1.5
                    priority             | "5"
                    priority             | true
                    priority             | [1]
                    priority             | {}
                    priority             | 1e300
                    priority             | 99999999999999999999
                    maxAttempts          | 0
                    maxAttempts          | 11
                    maxAttempts          | -1
                    maxAttempts          | 2.5
                    maxAttempts          | "3"
                    leaseDurationSeconds | 29
                    leaseDurationSeconds | 3601
                    leaseDurationSeconds | 60.5
                    leaseDurationSeconds | "60"
                    leaseDurationSeconds | -300
                    leaseDurationSeconds | 4294967596
                    """)
    void a_number_outside_its_bounds_is_refused(String field, String value) {
        refused(with(",\"%s\":%s".formatted(field, value)), field);
    }

    /// T-048, T-049, T-050, T-054, T-058.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                ",\"priority\":null,\"maxAttempts\":null,\"leaseDurationSeconds\":null"
                        + ",\"scheduledAt\":null,\"idempotencyKey\":null"
            })
    void what_is_left_out_has_its_default(String fields) {
        Reply created = accepted(with(fields));
        assertThat(created.text("/task/status")).isEqualTo("pending");
        assertThat(created.number("/task/attemptCount")).isZero();
        assertThat(created.number("/task/priority")).isZero();
        assertThat(created.number("/task/maxAttempts")).isEqualTo(3);
        assertThat(created.number("/task/leaseDurationSeconds")).isEqualTo(300);
        for (String absent :
                List.of(
                        "scheduledAt",
                        "claimedBy",
                        "claimedAt",
                        "leaseExpiresAt",
                        "lastHeartbeatAt",
                        "completedAt",
                        "lastFailedAt",
                        "lastFailureReason",
                        "result",
                        "outputId")) {
            assertThat(created.at("/task/" + absent).isNull()).as(absent).isTrue();
        }
        assertThat(created.at("/task")).isEqualTo(tasks.get(created.text("/task/id")).at("/task"));
        assertThat(tasks.claim("a").text("/task/id")).isEqualTo(created.text("/task/id"));
    }

    /// T-059.
    @ParameterizedTest
    @FieldSource("SYSTEM_MANAGED")
    void what_the_server_manages_cannot_be_set(String field) {
        for (String value : List.of("null", "\"x\"", "1", "{}", "\"2030-01-01T00:00:00Z\"")) {
            refused(with(",\"%s\":%s".formatted(field, value)), field);
        }
    }

    /// T-056.
    @ParameterizedTest
    @ValueSource(ints = {1, 255})
    void an_idempotency_key_in_the_body_has_1_to_255_characters(int length) {
        accepted(with(",\"idempotencyKey\":\"" + "k".repeat(length) + "\""));
    }

    /// T-056.
    @Test
    void another_idempotency_key_is_refused() {
        for (String key : List.of("\"\"", '"' + "k".repeat(256) + '"', "5", "\"é\"", "\"a\\nb\"")) {
            refused(with(",\"idempotencyKey\":" + key), "idempotencyKey");
        }
    }

    /// T-057.
    @Test
    void the_idempotency_key_is_no_part_of_the_task() {
        Reply created = accepted(with(",\"idempotencyKey\":\"very-special-key\""));
        assertThat(created.text()).doesNotContain("very-special-key").doesNotContain("idempot");
        assertThat(tasks.get(created.text("/task/id")).text()).doesNotContain("very-special-key");
        assertThat(tasks.claim("a").text()).doesNotContain("very-special-key");
        assertThat(Storage.of(server).tasksOf(tasks.accountId()))
                .noneMatch(row -> row.contains("very-special-key"));
        assertThat(
                        server.database()
                                .rows(
                                        "select 1 from information_schema.columns where table_name"
                                                + " like 'work%' and column_name like '%idemp%'"))
                .isEmpty();
    }
}
