package io.orchestrion.kernel.json;

import static io.orchestrion.kernel.json.Field.any;
import static io.orchestrion.kernel.json.Field.array;
import static io.orchestrion.kernel.json.Field.instant;
import static io.orchestrion.kernel.json.Field.integer;
import static io.orchestrion.kernel.json.Field.object;
import static io.orchestrion.kernel.json.Field.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Set;

class CanonicalJsonTest {
    private static final ObjectSpec SPEC =
            ObjectSpec.named("Body")
                    .optional(object("payload"))
                    .optional(any("any").nullable())
                    .optional(integer("priority").orElse(0))
                    .optional(instant("at"))
                    .optional(text("workerId"))
                    .optional(array("tags", text("tag")))
                    .optional(object("inner", ObjectSpec.named("Inner").optional(text("x"))))
                    .optional(text("key"))
                    .alias("workerId", "worker_id");

    private static String digest(String body) {
        return HexFormat.of()
                .formatHex(
                        CanonicalJson.digest(
                                SPEC.read(body.getBytes(StandardCharsets.UTF_8)), "key"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"payload\":{\"a\":1,\"b\":2}} | { \"payload\" : { \"b\" : 2, \"a\" : 1 } }",
                "{\"payload\":{\"a\":{\"y\":[1,{\"q\":1,\"p\":2}],\"x\":0}}} |"
                        + " {\"payload\":{\"a\":{\"x\":0,\"y\":[1,{\"p\":2,\"q\":1}]}}}",
                "{\"payload\":{\"a\":1.0}} | {\"payload\":{\"a\":1}}",
                "{\"payload\":{\"a\":100}} | {\"payload\":{\"a\":1e2}}",
                "{\"payload\":{\"a\":-0.0}} | {\"payload\":{\"a\":0}}",
                "{\"payload\":{\"a\":\"\\u00e9\\/\"}} | {\"payload\":{\"a\":\"é/\"}}",
                "{\"at\":\"2030-01-01T00:00:00Z\"} | {\"at\":\"2030-01-01T01:00:00.000+01:00\"}",
                "{\"workerId\":\"w\"} | {\"worker_id\":\"w\"}",
                "{\"priority\":null} | {}",
                "{\"key\":\"one\"} | {\"key\":\"two\"}"
            })
    void bodies_of_one_meaning_have_one_digest(String one, String other) {
        assertThat(digest(one)).isEqualTo(digest(other));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"payload\":{\"a\":1}} | {\"payload\":{\"a\":\"1\"}}",
                "{\"payload\":{\"a\":[1,2]}} | {\"payload\":{\"a\":[2,1]}}",
                "{\"payload\":{\"a\":1}} | {\"payload\":{\"a\":1,\"b\":null}}",
                "{\"payload\":{\"a\":0.1}} | {\"payload\":{\"a\":0.10000000000000000001}}",
                "{\"payload\":{}} | {}",
                "{\"priority\":0} | {}",
                "{\"any\":null} | {}",
                "{\"any\":null} | {\"any\":\"null\"}",
                "{\"tags\":[]} | {\"tags\":[\"\"]}",
                "{\"payload\":{\"key\":1}} | {\"payload\":{\"key\":2}}",
                "{\"any\":{\"a\":\"b\"}} | {\"any\":\"{\\\"a\\\":\\\"b\\\"}\"}"
            })
    void bodies_of_different_meaning_differ(String one, String other) {
        assertThat(digest(one)).isNotEqualTo(digest(other));
    }

    @Test
    void the_canonical_text_is_sorted_and_bare() {
        Values values =
                SPEC.read(
                        "{\"tags\":[\"b\",\"a\"],\"inner\":{\"x\":\"y\"},\"payload\":{\"z\":1e308,\"a\":[true,null,{}]},\"priority\":7}"
                                .getBytes(StandardCharsets.UTF_8));
        assertThat(CanonicalJson.text(values, Set.of("priority")))
                .isEqualTo(
                        "{\"inner\":{\"x\":\"y\"},\"payload\":{\"a\":[true,null,{}],\"z\":1e308},\"tags\":[\"b\",\"a\"]}");
    }
}
