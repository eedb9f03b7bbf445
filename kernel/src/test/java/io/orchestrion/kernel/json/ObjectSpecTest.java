package io.orchestrion.kernel.json;

import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.bool;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.number;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.objects;
import static io.orchestrion.kernel.json.Field.oneOf;
import static io.orchestrion.kernel.json.Field.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;

class ObjectSpecTest {
    private static final ObjectSpec CREATE =
            ObjectSpec.named("TaskCreate")
                    .required(text("type").length(1, 100).pattern("^[A-Za-z0-9_-]+$"))
                    .required(object("payload").maxBytes(65_536).maxDepth(5))
                    .optional(integer("priority").range(0, 100).orElse(0))
                    .optional(instant("scheduledAt"))
                    .optional(text("idempotencyKey").length(1, 255).printableAscii())
                    .optional(text("workerId"))
                    .optional(text("note").nullable())
                    .optional(bool("urgent").orElse(false))
                    .optional(number("factor").range("1.0", "10"))
                    .optional(oneOf("mode", "fast", "safe"))
                    .optional(array("tags", text("tag").length(1, 5)).items(1, 3).unique())
                    .optional(
                            objects(
                                    "items",
                                    ObjectSpec.named("Item")
                                            .required(text("name"))
                                            .optional(integer("count"))))
                    .alias("workerId", "worker_id")
                    .refuse(List.of("id", "status"), "is set by the server");

    private static Values read(String body) {
        return CREATE.read(body.getBytes(StandardCharsets.UTF_8));
    }

    /// Reads a body that is right but for the given fields.
    private static Values with(String fields) {
        return read(
                "{\"type\":\"a\",\"payload\":{}" + (fields.isEmpty() ? "" : "," + fields) + "}");
    }

    private static List<String> messages(String body) {
        InvalidBody invalid = catchThrowableOfType(InvalidBody.class, () -> read(body));
        assertThat(invalid).as("refusal of %s", body).isNotNull();
        return invalid.faults().stream().map(BodyFault::message).toList();
    }

    private static String fault(String fields) {
        List<String> messages = messages("{\"type\":\"a\",\"payload\":{}," + fields + "}");
        assertThat(messages).hasSize(1);
        return messages.getFirst();
    }

    @Test
    void a_full_body_is_read_into_typed_values() {
        Values v =
                read(
                        """
                        {"type":"send-mail","payload":{"to":"a@b.c","n":1.0},"priority":7,
                         "scheduledAt":"2030-01-31T09:30:00.5+01:00","idempotencyKey":"k","worker_id":"w","note":null,
                         "urgent":true,"factor":1.50,"mode":"safe","tags":["x","y"],"items":[{"name":"n","count":2}]}\
                        """);
        assertThat(v.text("type")).isEqualTo("send-mail");
        assertThat(v.json("payload")).isEqualTo("{\"to\":\"a@b.c\",\"n\":1.0}");
        assertThat(v.integer("priority")).isEqualTo(7);
        assertThat(v.int32("priority")).isEqualTo(7);
        assertThat(v.instant("scheduledAt")).isEqualTo(Instant.parse("2030-01-31T08:30:00.5Z"));
        assertThat(v.text("workerId")).isEqualTo("w");
        assertThat(v.isNull("note")).isTrue();
        assertThat(v.has("note")).isTrue();
        assertThat(v.textOrNull("note")).isNull();
        assertThat(v.bool("urgent")).isTrue();
        assertThat(v.number("factor")).isEqualByComparingTo("1.5");
        assertThat(v.text("mode")).isEqualTo("safe");
        assertThat(v.texts("tags")).containsExactly("x", "y");
        assertThat(v.objects("items").getFirst().text("name")).isEqualTo("n");
        assertThat(v.objects("items").getFirst().integer("count")).isEqualTo(2);
    }

    @Test
    void absent_and_null_optional_fields_take_their_default() {
        for (Values v :
                List.of(
                        with(""),
                        with(
                                "\"priority\":null,\"scheduledAt\":null,\"urgent\":null,\"tags\":null"))) {
            assertThat(v.integer("priority")).isZero();
            assertThat(v.has("priority")).isFalse();
            assertThat(v.isNull("priority")).isFalse();
            assertThat(v.instantOrNull("scheduledAt")).isNull();
            assertThat(v.bool("urgent")).isFalse();
            assertThat(v.texts("tags")).isEmpty();
        }
    }

    @Test
    void required_fields_that_are_absent_or_null_are_named() {
        assertThat(messages("{}")).containsExactly("type is required", "payload is required");
        assertThat(messages("{\"payload\":null,\"type\":null}"))
                .containsExactly("type is required", "payload is required");
        assertThat(messages("")).containsExactly("The body must be a JSON object.");
    }

    @Test
    void an_empty_body_is_an_empty_object_when_nothing_is_required() {
        assertThat(
                        ObjectSpec.named("None")
                                .optional(integer("n").orElse(3))
                                .read(new byte[0])
                                .integer("n"))
                .isEqualTo(3);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "100", "-0"})
    void integers_within_their_range_are_read(String literal) {
        assertThat(with("\"priority\":" + literal).integer("priority"))
                .isEqualTo(Long.parseLong(literal));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "-1",
                "101",
                "1.5",
                "\"5\"",
                "1e2",
                "5.0",
                "true",
                "[]",
                "{}",
                "99999999999999999999",
                "-99999999999999999999"
            })
    void integers_beyond_their_range_or_of_another_form_are_refused(String literal) {
        assertThat(fault("\"priority\":" + literal))
                .isEqualTo("priority must be an integer from 0 to 100");
    }

    @Test
    void integers_without_a_range_hold_64_bits_and_no_more() {
        ObjectSpec spec = ObjectSpec.named("N").optional(integer("n"));
        assertThat(
                        spec.read("{\"n\":9223372036854775807}".getBytes(StandardCharsets.UTF_8))
                                .integer("n"))
                .isEqualTo(Long.MAX_VALUE);
        InvalidBody invalid =
                catchThrowableOfType(
                        InvalidBody.class,
                        () ->
                                spec.read(
                                        "{\"n\":9223372036854775808}"
                                                .getBytes(StandardCharsets.UTF_8)));
        assertThat(invalid.first().message()).isEqualTo("n must be an integer of at most 64 bits");
    }

    @Test
    void text_length_counts_characters_and_its_bounds_are_inclusive() {
        assertThat(read("{\"payload\":{},\"type\":\"" + "a".repeat(100) + "\"}").text("type"))
                .hasSize(100);
        assertThat(messages("{\"payload\":{},\"type\":\"" + "a".repeat(101) + "\"}"))
                .containsExactly("type must be 1 to 100 characters long, was 101");
        assertThat(messages("{\"payload\":{},\"type\":\"\"}"))
                .containsExactly("type must be 1 to 100 characters long, was 0");
        assertThat(with("\"tags\":[\"😀😀😀😀😀\"]").texts("tags")).hasSize(1);
        assertThat(fault("\"tags\":[\"ok\",\"😀😀😀😀😀😀\"]"))
                .isEqualTo("tags[1] must be 1 to 5 characters long, was 6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a b", "a.b", "a/b", "a:b", "é", "a\\n", "\\na", "a\\r\\n"})
    void text_must_match_its_pattern_as_a_whole(String type) {
        assertThat(messages("{\"payload\":{},\"type\":\"" + type + "\"}"))
                .containsExactly("type must match ^[A-Za-z0-9_-]+$");
    }

    @ParameterizedTest
    @ValueSource(strings = {"5", "true", "[]", "{}"})
    void text_of_another_type_is_refused(String literal) {
        assertThat(messages("{\"payload\":{},\"type\":" + literal + "}"))
                .containsExactly("type must be a string");
    }

    @Test
    void printable_ascii_runs_from_space_to_tilde() {
        assertThat(with("\"idempotencyKey\":\" ~\"").text("idempotencyKey")).isEqualTo(" ~");
        for (String bad : List.of("\\t", "\\u007f", "é", "a\\n")) {
            assertThat(fault("\"idempotencyKey\":\"" + bad + "\""))
                    .isEqualTo("idempotencyKey must hold only printable ASCII characters");
        }
    }

    @Test
    void open_objects_are_bounded_in_bytes_of_their_compact_form() {
        // {"k":"…"} is 8 bytes besides the text; white space does not count, and é is two bytes.
        String exact = "a".repeat(65_536 - 8);
        assertThat(
                        read("{\"type\":\"a\",\"payload\": { \"k\" : \"" + exact + "\" } }")
                                .json("payload"))
                .hasSize(65_536);
        assertThat(messages("{\"type\":\"a\",\"payload\":{\"k\":\"" + exact + "a\"}}"))
                .containsExactly("payload must be at most 65536 bytes as compact JSON, was 65537");
        assertThat(messages("{\"type\":\"a\",\"payload\":{\"k\":\"" + exact.substring(1) + "é\"}}"))
                .containsExactly("payload must be at most 65536 bytes as compact JSON, was 65537");
    }

    @Test
    void open_objects_are_bounded_in_depth_counting_themselves() {
        assertThat(
                        read("{\"type\":\"a\",\"payload\":{\"a\":{\"a\":{\"a\":[[1]]}}}}")
                                .json("payload"))
                .isEqualTo("{\"a\":{\"a\":{\"a\":[[1]]}}}");
        assertThat(messages("{\"type\":\"a\",\"payload\":{\"a\":{\"a\":{\"a\":[[{}]]}}}}"))
                .containsExactly("payload must be nested at most 5 levels deep, was 6");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"{}\"", "1", "true"})
    void open_objects_must_be_objects(String literal) {
        assertThat(messages("{\"type\":\"a\",\"payload\":" + literal + "}"))
                .containsExactly("payload must be a JSON object");
    }

    @ParameterizedTest
    @CsvSource({
        "2030-01-31T08:30:00Z, 2030-01-31T08:30:00Z",
        "2030-01-31t08:30:00z, 2030-01-31T08:30:00Z",
        "2030-01-31T08:30Z, 2030-01-31T08:30:00Z",
        "2030-01-31T08:30:00.123456789Z, 2030-01-31T08:30:00.123456789Z",
        "2030-01-31T08:30:00-05:30, 2030-01-31T14:00:00Z",
        "2030-01-31T08:30:00+0100, 2030-01-31T07:30:00Z",
        "2030-01-31T08:30:00+01, 2030-01-31T07:30:00Z",
        "9999-12-31T23:59:59Z, 9999-12-31T23:59:59Z"
    })
    void moments_with_an_offset_are_read(String written, Instant expected) {
        assertThat(with("\"scheduledAt\":\"" + written + "\"").instant("scheduledAt"))
                .isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "\"2030-01-31\"",
                "\"2030-01-31T08:30:00\"",
                "1893456000",
                "\"1893456000\"",
                "\"tomorrow\"",
                "\"\"",
                "\"2030-02-30T00:00:00Z\"",
                "\"2030-01-31T24:00:01Z\"",
                "\"2030-01-31T08:30:60Z\"",
                "\"2030-01-31 08:30:00Z\"",
                "\"+12030-01-31T08:30:00Z\"",
                "\"2030-01-31T08:30:00Z \"",
                "\"2030-01-31T08:30:00ZZ\"",
                "\"2030-01-31T08:30:00+19:00\"",
                "true",
                "{}"
            })
    void anything_else_is_no_moment(String literal) {
        assertThat(fault("\"scheduledAt\":" + literal))
                .startsWith("scheduledAt must be an ISO 8601 date and time");
    }

    @Test
    void numbers_keep_their_decimals_and_range() {
        assertThat(with("\"factor\":1").number("factor")).isEqualByComparingTo("1");
        assertThat(with("\"factor\":10.0").number("factor")).isEqualByComparingTo("10");
        for (String literal : List.of("0.99", "10.01", "\"2\"", "1e99")) {
            assertThat(fault("\"factor\":" + literal))
                    .isEqualTo("factor must be a number from 1.0 to 10");
        }
    }

    @Test
    void booleans_choices_and_lists_name_what_they_want() {
        assertThat(fault("\"urgent\":\"true\"")).isEqualTo("urgent must be true or false");
        assertThat(fault("\"urgent\":1")).isEqualTo("urgent must be true or false");
        assertThat(fault("\"mode\":\"FAST\"")).isEqualTo("mode must be one of fast, safe");
        assertThat(fault("\"mode\":1")).isEqualTo("mode must be one of fast, safe");
        assertThat(fault("\"tags\":[]")).isEqualTo("tags must have 1 to 3 elements, had 0");
        assertThat(fault("\"tags\":[\"a\",\"b\",\"c\",\"d\"]"))
                .isEqualTo("tags must have 1 to 3 elements, had 4");
        assertThat(fault("\"tags\":[\"a\",\"a\"]")).isEqualTo("tags must not hold one value twice");
        assertThat(fault("\"tags\":\"a\"")).isEqualTo("tags must be a JSON array");
        assertThat(fault("\"tags\":[null]")).isEqualTo("tags[0] must be a string");
        assertThat(fault("\"items\":[{\"name\":\"a\"},{\"name\":\"b\",\"x\":1}]"))
                .isEqualTo("items[1].x is not a known field");
        assertThat(fault("\"items\":[{}]")).isEqualTo("items[0].name is required");
        assertThat(fault("\"items\":[3]")).isEqualTo("items[0] must be a JSON object");
    }

    @Test
    void unknown_and_server_set_fields_are_refused_by_name() {
        assertThat(fault("\"colour\":1")).isEqualTo("\"colour\" is not a known field");
        assertThat(fault("\"status\":\"done\"")).isEqualTo("status is set by the server");
        assertThat(fault("\"id\":null")).isEqualTo("id is set by the server");
    }

    @Test
    void names_from_outside_are_cut_and_escaped_in_messages() {
        assertThat(fault("\"a\\r\\nb\\u001b[31m\\\"\":1"))
                .isEqualTo("\"a\\u000d\\u000ab\\u001b[31m\\\"\" is not a known field");
        assertThat(fault("\"" + "x".repeat(5000) + "\":1"))
                .isEqualTo("\"" + "x".repeat(60) + "…\" is not a known field");
        assertThat(fault("\"\\u202e\":1")).isEqualTo("\"\\u202e\" is not a known field");
    }

    @Test
    void aliases_may_agree_and_may_not_differ() {
        assertThat(with("\"workerId\":\"a\",\"worker_id\":\"a\"").text("workerId")).isEqualTo("a");
        assertThat(fault("\"workerId\":\"a\",\"worker_id\":\"b\""))
                .isEqualTo("workerId and worker_id must not hold different values");
        assertThat(fault("\"worker_id\":7")).isEqualTo("workerId must be a string");
    }

    @Test
    void faults_come_in_the_order_of_the_declaration_whatever_the_order_of_the_body() {
        assertThat(messages("{\"zzz\":1,\"status\":1,\"priority\":-1,\"payload\":1,\"type\":1}"))
                .containsExactly(
                        "type must be a string",
                        "payload must be a JSON object",
                        "priority must be an integer from 0 to 100",
                        "\"zzz\" is not a known field",
                        "status is set by the server");
    }

    @Test
    void the_number_of_faults_is_bounded() {
        var body = new StringBuilder("{\"a\":1");
        for (int i = 0; i < 1000; i++) {
            body.append(",\"f").append(i).append("\":1");
        }
        assertThat(messages(body.append('}').toString())).hasSize(20);
    }

    @Test
    void a_fault_carries_its_field_and_bound() {
        InvalidBody invalid =
                catchThrowableOfType(InvalidBody.class, () -> with("\"priority\":101"));
        assertThat(invalid.first())
                .isEqualTo(
                        new BodyFault(
                                "priority", "priority must be an integer from 0 to 100", "0..100"));
    }

    @Test
    void a_fault_points_into_the_document() {
        ObjectSpec step = ObjectSpec.named("Step").required(text("name"));
        ObjectSpec flow = ObjectSpec.named("Flow").required(objects("steps", step));
        String tooLong = "x".repeat(61);
        String body =
                "{\"steps\":[{\"name\":\"a\"},{\"name\":1,\"a.b[0]/~\":2,\"%s\":3}],\"c/d\":4}"
                        .formatted(tooLong);
        InvalidBody invalid =
                catchThrowableOfType(
                        InvalidBody.class, () -> flow.read(body.getBytes(StandardCharsets.UTF_8)));
        assertThat(invalid.faults())
                .extracting(BodyFault::pointer)
                .containsExactlyInAnyOrder(
                        "/steps/1/name", "/steps/1/a.b[0]~1~0", "/steps/1", "/c~1d");
        assertThat(
                        catchThrowableOfType(
                                        InvalidBody.class,
                                        () -> flow.read("[]".getBytes(StandardCharsets.UTF_8)))
                                .first()
                                .pointer())
                .isEmpty();
    }

    @Test
    void unknown_fields_can_be_ignored() {
        ObjectSpec open =
                ObjectSpec.named("Open")
                        .optional(text("a"))
                        .refuse(List.of("b"), "is set by the server")
                        .unknown(ObjectSpec.Unknown.IGNORE);
        assertThat(open.read("{\"a\":\"x\",\"c\":[1]}".getBytes(StandardCharsets.UTF_8)).text("a"))
                .isEqualTo("x");
        assertThat(
                        catchThrowableOfType(
                                InvalidBody.class,
                                () -> open.read("{\"b\":1}".getBytes(StandardCharsets.UTF_8))))
                .hasMessage("b is set by the server");
    }

    @Test
    void query_parameters_are_read_by_the_same_declaration() {
        ObjectSpec query =
                ObjectSpec.named("TaskListQuery")
                        .optional(oneOf("status", "pending", "done"))
                        .optional(integer("limit").range(1, 100).orElse(50))
                        .optional(bool("deep").orElse(false))
                        .optional(instant("since"))
                        .unknown(ObjectSpec.Unknown.IGNORE);
        Values v =
                query.readQuery(
                        Map.of(
                                "status",
                                List.of("done"),
                                "limit",
                                List.of("7"),
                                "x",
                                List.of("1", "2")));
        assertThat(v.text("status")).isEqualTo("done");
        assertThat(v.integer("limit")).isEqualTo(7);
        assertThat(query.readQuery(Map.of("deep", List.of("true"))).bool("deep")).isTrue();
        for (String limit : List.of("0", "101", "", " 7", "7 ", "+7", "07", "7.0", "٧", "abc")) {
            assertThat(
                            catchThrowableOfType(
                                    InvalidBody.class,
                                    () -> query.readQuery(Map.of("limit", List.of(limit)))))
                    .as(limit)
                    .hasMessage("limit must be an integer from 1 to 100");
        }
        assertThat(
                        catchThrowableOfType(
                                InvalidBody.class,
                                () -> query.readQuery(Map.of("limit", List.of("1", "2")))))
                .hasMessage("limit must be given once");
    }
}
