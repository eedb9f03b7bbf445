package io.orchestrion.kernel.json;

import static io.orchestrion.kernel.json.Field.any;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

class StrictJsonTest {
    private static final ObjectSpec OPEN = ObjectSpec.named("Open").optional(any("v"));

    private static String kept(String value) {
        return OPEN.read(("{\"v\":" + value + "}").getBytes(StandardCharsets.UTF_8)).json("v");
    }

    private static void refused(byte[] body, String message) {
        assertThatThrownBy(() -> OPEN.read(body))
                .isInstanceOf(InvalidBody.class)
                .hasMessageContaining(message);
    }

    private static void refused(String body, String message) {
        refused(body.getBytes(StandardCharsets.UTF_8), message);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "{\"v\"",
                "{\"v\":",
                "{\"v\":1",
                "{\"v\":1,}",
                "{v:1}",
                "{'v':1}",
                "{\"v\":01}",
                "{\"v\":+1}",
                "{\"v\":.5}",
                "{\"v\":1.}",
                "{\"v\":-}",
                "{\"v\":1e}",
                "{\"v\":NaN}",
                "{\"v\":Infinity}",
                "{\"v\":-Infinity}",
                "{\"v\":[1,]}",
                "{\"v\":[1 2]}",
                "{\"v\":tru}",
                "{\"v\":\"a\nb\"}",
                "{\"v\":\"\\x\"}",
                "{\"v\":\"\\u12\"}",
                "{/* c */\"v\":1}",
                "{\"v\":1}}",
                "{\"v\":0x10}",
                "{\"v\":[}",
                "{\"v\":\"",
                "{\"v\":{\"a\":1]}"
            })
    void malformed_json_is_refused_with_its_place(String body) {
        refused(body, "not valid JSON");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"text\"", "1", "null", "true", " ", "[{\"v\":1}]"})
    void a_body_that_is_no_object_is_refused(String body) {
        refused(body, "must be a JSON object");
    }

    @ParameterizedTest
    @ValueSource(strings = {"{\"v\":1} {}", "{} 1", "{}[]", "{}null"})
    void content_after_the_object_is_refused(String body) {
        refused(body, "content after");
    }

    @Test
    void white_space_around_the_object_is_accepted() {
        assertThat(OPEN.read(" \r\n\t{ } \n".getBytes(StandardCharsets.UTF_8)).has("v")).isFalse();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"v\":1,\"v\":1}",
                "{\"v\":{\"a\":1,\"a\":2}}",
                "{\"v\":[[{\"a\":1,\"b\":2,\"a\":3}]]}",
                "{\"v\":{\"a\":1,\"\\u0061\":2}}"
            })
    void duplicate_names_are_refused_at_any_depth(String body) {
        refused(body, "twice in one object");
    }

    @Test
    void one_name_in_two_objects_is_no_duplicate() {
        assertThat(kept("[{\"a\":1},{\"a\":{\"a\":2}}]"))
                .isEqualTo("[{\"a\":1},{\"a\":{\"a\":2}}]");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"v\":\"a\\u0000b\"}", "{\"v\":{\"a\\u0000\":1}}", "{\"\\u0000\":1}",
                        "{\"v\":[\"\\ud800\"]}",
                "{\"v\":\"\\udc00\\ud800\"}", "{\"v\":\"\\ud800x\"}", "{\"v\":{\"\\udfff\":1}}",
                        "{\"v\":\"\\ud83d\"}"
            })
    void escaped_nul_and_lone_surrogates_are_refused_in_strings_and_names(String body) {
        // Jackson finds some of them itself and the scanner the rest.
        assertThatThrownBy(() -> OPEN.read(body.getBytes(StandardCharsets.UTF_8)))
                .isInstanceOf(InvalidBody.class)
                .hasMessageMatching(".*(U\\+0000 or half of a surrogate pair|not valid JSON).*");
    }

    @Test
    void surrogate_pairs_are_kept_whether_escaped_or_raw() {
        assertThat(kept("\"\\ud83d\\ude00\"")).isEqualTo("\"😀\"");
        assertThat(kept("\"😀é\"")).isEqualTo("\"😀é\"");
    }

    static Stream<Arguments> bytesThatAreNotUtf8() {
        return Stream.of(
                Arguments.of("stray continuation", new int[] {0x80}),
                Arguments.of("cut sequence", new int[] {0xC3}),
                Arguments.of("overlong slash", new int[] {0xC0, 0xAF}),
                Arguments.of("overlong NUL", new int[] {0xC0, 0x80}),
                Arguments.of("encoded surrogate", new int[] {0xED, 0xA0, 0x80}),
                Arguments.of("past U+10FFFF", new int[] {0xF4, 0x90, 0x80, 0x80}),
                Arguments.of("never a byte of UTF-8", new int[] {0xFF}));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("bytesThatAreNotUtf8")
    void invalid_utf8_is_refused(String name, int[] bytes) {
        byte[] open = "{\"v\":\"".getBytes(StandardCharsets.UTF_8);
        byte[] close = "\"}".getBytes(StandardCharsets.UTF_8);
        byte[] body = new byte[open.length + bytes.length + close.length];
        System.arraycopy(open, 0, body, 0, open.length);
        for (int i = 0; i < bytes.length; i++) {
            body[open.length + i] = (byte) bytes[i];
        }
        System.arraycopy(close, 0, body, open.length + bytes.length, close.length);
        refused(body, "not valid UTF-8");
    }

    @Test
    void a_byte_order_mark_and_utf16_are_refused() {
        refused("\uFEFF{}", "byte order mark");
        refused("{\"v\":1}".getBytes(StandardCharsets.UTF_16BE), "JSON");
        refused("{\"v\":1}".getBytes(StandardCharsets.UTF_16), "UTF-8");
        refused("{\"v\":\"\0\"}", "not valid JSON");
    }

    @Test
    void nesting_is_bounded_and_never_overflows_the_stack() {
        // The body is level 1, so the value may have 63 more.
        assertThat(kept("[".repeat(63) + "]".repeat(63))).hasSize(126);
        refused("{\"v\":" + "[".repeat(64) + "]".repeat(64) + "}", "at most 64 levels");
        refused("{\"v\":" + "{\"a\":".repeat(64) + "1" + "}".repeat(64) + "}", "at most 64 levels");
        refused("{\"v\":" + "[".repeat(100_000), "at most 64 levels");
        refused("{\"unknown\":" + "[".repeat(100_000), "at most 64 levels");
    }

    @Test
    void numbers_are_kept_as_written() {
        for (String number :
                new String[] {
                    "1.0",
                    "-0",
                    "0.10",
                    "1E5",
                    "1e-7",
                    "123456789012345678901234567890",
                    "3.141592653589793238462643383279",
                    "1e308",
                    "1e-308",
                    "-0.0e+0"
                }) {
            assertThat(kept(number)).isEqualTo(number);
            assertThat(kept("{\"n\":[" + number + "]}")).isEqualTo("{\"n\":[" + number + "]}");
        }
    }

    @Test
    void numbers_that_postgresql_cannot_hold_are_refused() {
        String longest = "1".repeat(1000);
        assertThat(kept(longest)).isEqualTo(longest);
        refused("{\"v\":" + longest + "1}", "more than 1000 characters");
        refused("{\"v\":[0." + longest + "]}", "more than 1000 characters");
        for (String number :
                new String[] {"1e309", "1E-309", "1e99999999999999999999", "1e+0000309"}) {
            refused("{\"v\":{\"n\":" + number + "}}", "exponent beyond 308");
        }
    }

    @Test
    void a_body_whose_numbers_would_be_huge_when_written_out_is_refused() {
        String many = "1e300,".repeat(218) + "1";
        assertThat(kept("[" + many + "]")).isEqualTo("[" + many + "]");
        refused("{\"v\":[" + many + ",1e300]}", "65536 digits");
    }

    @Test
    void open_values_are_compacted_without_change() {
        assertThat(
                        kept(
                                " { \"b\" : [ 1 , \"\\u0041\\/\\n"
                                        + "\\t\\u001f\" ] , \"a\" : { } , \"\\\"\" : null } "))
                .isEqualTo("{\"b\":[1,\"A/\\n\\t\\u001F\"],\"a\":{},\"\\\"\":null}");
    }
}
