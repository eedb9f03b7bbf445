package io.orchestrion.kernel.json;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;

class JsonWriterTest {
    @Test
    void fields_objects_arrays_and_stored_json_are_written_in_order() {
        String json =
                JsonWriter.objectText(
                        out ->
                                out.text("id", "t\"1\n")
                                        .text("none", null)
                                        .integer("n", 5)
                                        .integer("big", Long.valueOf(Long.MAX_VALUE))
                                        .integer("noInt", (Long) null)
                                        .number("d", new BigDecimal("1.50"))
                                        .bool("b", true)
                                        .instant("at", 1_893_456_000_000L)
                                        .instant("never", (Instant) null)
                                        .raw("payload", "{\"n\":1.0}")
                                        .raw("noPayload", null)
                                        .object("o", inner -> inner.nil("x"))
                                        .texts("tags", List.of("a", "é😀"))
                                        .objects(
                                                "tasks",
                                                List.of(1, 2),
                                                (task, n) -> task.integer("n", n.longValue()))
                                        .array(
                                                "mixed",
                                                items ->
                                                        items.item(1)
                                                                .item("x")
                                                                .nullItem()
                                                                .rawItem("[]")));
        assertThat(json)
                .isEqualTo(
                        "{\"id\":\"t\\\"1\\n"
                            + "\",\"none\":null,\"n\":5,\"big\":9223372036854775807,\"noInt\":null,"
                            + "\"d\":1.50,\"b\":true,\"at\":\"2030-01-01T00:00:00.000Z\",\"never\":null,"
                            + "\"payload\":{\"n\":1.0},\"noPayload\":null,\"o\":{\"x\":null},\"tags\":[\"a\",\"é😀\"],"
                            + "\"tasks\":[{\"n\":1},{\"n\":2}],\"mixed\":[1,\"x\",null,[]]}");
    }

    @Test
    void half_a_surrogate_pair_is_mended_instead_of_failing_the_answer() {
        assertThat(JsonWriter.objectText(out -> out.text("a", "x\ud800y\udc00😀")))
                .isEqualTo("{\"a\":\"x\uFFFDy\uFFFD😀\"}");
    }

    @Test
    void only_what_json_forbids_in_a_string_is_escaped() {
        assertThat(
                        JsonWriter.objectText(
                                out -> out.text("a\"b", "\u0000\u001f\t\\ /\u007f\u2028é")))
                .isEqualTo("{\"a\\\"b\":\"\\u0000\\u001F\\t\\\\ /\u007f\u2028é\"}");
    }

    /// It is handed over in pieces: its end may fall on any side of one.
    @Test
    void an_answer_of_any_length_is_whole() {
        for (int length = 1; length < 12_000; length += 7) {
            String text = "x".repeat(length);
            String marked = text + "é";
            assertThat(
                            JsonWriter.objectText(
                                    out ->
                                            out.text(text, text)
                                                    .texts("list", List.of(marked, ""))
                                                    .raw("raw", "[1]")))
                    .isEqualTo(
                            "{\"%s\":\"%s\",\"list\":[\"%s\",\"\"],\"raw\":[1]}"
                                    .formatted(text, text, marked));
        }
    }

    @Test
    void an_answer_may_be_an_array() {
        assertThat(
                        new String(
                                JsonWriter.array(items -> items.item(o -> o.integer("a", 1))),
                                StandardCharsets.UTF_8))
                .isEqualTo("[{\"a\":1}]");
    }

    @ParameterizedTest
    @CsvSource({
        "0, 1970-01-01T00:00:00.000Z",
        "-1, 1969-12-31T23:59:59.999Z",
        "951827696007, 2000-02-29T12:34:56.007Z",
        "-62135596800001, 0000-12-31T23:59:59.999Z",
        "253402300799999, 9999-12-31T23:59:59.999Z",
        "253402300800000, 10000-01-01T00:00:00.000Z"
    })
    void moments_always_have_three_decimals(long millis, String expected) {
        assertThat(IsoMillis.format(millis)).isEqualTo(expected);
    }
}
