package io.orchestrion.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.fault.Failpoints;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.IntFunction;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// Schemas and documents made to cost much, each as large as a request may be. All of them end
/// within the steps of one request, with an answer. A keyword that did its work without counting it
/// would show as few steps for a document that is known to cost many.
class TenantProgramsTest {
    /// A tenth of what a request has, so that the test is quick.
    private static final int STEPS = SchemaLimit.REQUEST_STEPS.max() / 10;

    private static final UUID ACCOUNT = UUID.randomUUID();

    private static String times(String text, int times) {
        return each(times, _ -> text);
    }

    private static String each(int times, IntFunction<String> text) {
        return IntStream.range(0, times).mapToObj(text).collect(Collectors.joining(","));
    }

    private static String inA(String schema) {
        return "{\"properties\":{\"a\":" + schema + "}}";
    }

    private static String items(String schema) {
        return inA("{\"items\":" + schema + "}");
    }

    private static String allOf(int times, String schema) {
        return inA("{\"allOf\":[" + times(schema, times) + "]}");
    }

    private static String array(String items) {
        return "{\"a\":[" + items + "]}";
    }

    private static String names(int count) {
        return "[" + each(count, i -> "\"p" + i + "\"") + "]";
    }

    /// Each definition means the next one twice.
    private static String doubling(String keyword, String last) {
        var defs = new StringBuilder();
        for (int i = 0; i < 40; i++) {
            String next = "{\"$ref\":\"#/$defs/d" + (i + 1) + "\"}";
            defs.append("\"d%d\":{\"%s\":[%s,%s]},".formatted(i, keyword, next, next));
        }
        return "{\"properties\":{\"a\":{\"$ref\":\"#/$defs/d0\"}},\"$defs\":{%s\"d40\":%s}}"
                .formatted(defs, last);
    }

    /// Texts with one hash, as whoever sends them can make them.
    private static List<String> ofOneHash(int count) {
        List<String> texts = List.of("");
        while (texts.size() < count) {
            var longer = new ArrayList<String>();
            for (String text : texts) {
                longer.add(text + "Aa");
                longer.add(text + "BB");
            }
            texts = longer;
        }
        return texts.subList(0, count);
    }

    private static String quoted(List<String> texts) {
        return texts.stream().map(text -> "\"" + text + "\"").collect(Collectors.joining(","));
    }

    /// Name, schema, document, and the least that it must be seen to cost.
    static Stream<Arguments> costly() {
        String ones = array(times("1", 30_000));
        String numbers = array(each(11_000, String::valueOf));
        String text = "{\"a\":\"" + "x".repeat(60_000) + "\"}";
        int whole = STEPS;
        return Stream.of(
                Arguments.of("pattern", inA("{\"pattern\":\"(x+x+)+y\"}"), text, 60_000),
                Arguments.of(
                        "large pattern",
                        inA("{\"pattern\":\"([a-y][^z]{13}){60}z\"}"),
                        text,
                        whole),
                Arguments.of(
                        "patternProperties",
                        "{\"patternProperties\":{" + each(400, i -> "\"^p" + i + "x*\":{}") + "}}",
                        "{" + each(5_000, i -> "\"q" + i + "\":1") + "}",
                        whole),
                Arguments.of(
                        "properties",
                        items("{\"properties\":{" + each(5_000, i -> "\"p" + i + "\":{}") + "}}"),
                        array(times("{}", 20_000)),
                        whole),
                Arguments.of(
                        "required",
                        items("{\"required\":" + names(7_000) + "}"),
                        array(times("{}", 20_000)),
                        whole),
                Arguments.of(
                        "dependentRequired",
                        items("{\"dependentRequired\":{\"x\":" + names(7_000) + "}}"),
                        array(times("{\"x\":1}", 8_000)),
                        whole),
                Arguments.of(
                        "dependentSchemas",
                        allOf(1_200, "{\"dependentSchemas\":{\"b\":{\"type\":\"null\"}}}"),
                        "{\"a\":{\"b\":1," + each(6_000, i -> "\"" + i + "\":1") + "}}",
                        whole),
                Arguments.of("enum", items("{\"enum\":" + names(7_000) + "}"), ones, whole),
                Arguments.of(
                        "enum of one hash",
                        items("{\"enum\":[" + quoted(ofOneHash(1_800)) + "]}"),
                        array(times("\"" + "Aa".repeat(11) + "\"", 2_400)),
                        whole),
                Arguments.of("const", allOf(4_000, "{\"const\":[1]}"), numbers, whole),
                Arguments.of(
                        "not",
                        items("{\"not\":{\"description\":\"" + "x".repeat(60_000) + "\"}}"),
                        ones,
                        whole),
                Arguments.of(
                        "propertyNames",
                        "{\"propertyNames\":{\"enum\":" + names(7_000) + "}}",
                        "{" + each(5_000, i -> "\"q" + i + "\":1") + "}",
                        whole),
                Arguments.of(
                        "contains",
                        allOf(1_800, "{\"contains\":{\"type\":\"null\"}}"),
                        ones,
                        whole),
                Arguments.of("maxLength", allOf(3_000, "{\"maxLength\":99999}"), text, whole),
                Arguments.of("uniqueItems", allOf(2_500, "{\"uniqueItems\":true}"), numbers, whole),
                Arguments.of(
                        "uniqueItems of one hash",
                        inA("{\"uniqueItems\":true}"),
                        array(quoted(ofOneHash(2_300))),
                        2_300),
                Arguments.of(
                        "uniqueItems at every depth",
                        "{\"$defs\":{\"u\":{\"uniqueItems\":true,\"items\":{\"$ref\":\"#/$defs/u\"}}},"
                            + "\"properties\":{\"a\":{\"$ref\":\"#/$defs/u\"}}}",
                        array("[".repeat(60) + each(10_000, String::valueOf) + "]".repeat(60)),
                        60_000),
                Arguments.of(
                        "multipleOf",
                        items("{\"allOf\":[" + times("{\"multipleOf\":7e-300}", 2_000) + "]}"),
                        array(times("1e308", 10_000)),
                        whole),
                Arguments.of(
                        "minimum of long numbers",
                        items("{\"allOf\":[" + times("{\"minimum\":0.5}", 3_000) + "]}"),
                        array(times("9".repeat(999), 60)),
                        whole),
                Arguments.of(
                        "type of long numbers",
                        items("{\"allOf\":[" + times("{\"type\":\"integer\"}", 3_000) + "]}"),
                        array(times("1" + "0".repeat(500) + "." + "0".repeat(400), 60)),
                        whole),
                Arguments.of("anyOf", doubling("anyOf", "{\"type\":\"null\"}"), "{\"a\":1}", whole),
                Arguments.of("oneOf", doubling("oneOf", "{\"type\":\"null\"}"), "{\"a\":1}", whole),
                Arguments.of("allOf", doubling("allOf", "{}"), "{\"a\":1}", whole),
                Arguments.of(
                        "unevaluatedProperties",
                        allOf(
                                1_000,
                                "{\"properties\":{\"b\":true},\"unevaluatedProperties\":true}"),
                        "{\"a\":{\"b\":1," + each(5_000, i -> "\"q" + i + "\":1") + "}}",
                        whole),
                Arguments.of(
                        "unevaluatedItems",
                        allOf(1_000, "{\"contains\":{\"const\":1},\"unevaluatedItems\":true}"),
                        ones,
                        whole),
                Arguments.of(
                        "what does not fit beside unevaluatedProperties",
                        inA(
                                "{\"anyOf\":["
                                        + times("{\"properties\":{\"b\":false}}", 2_000)
                                        + "],\"unevaluatedProperties\":false}"),
                        "{\"a\":{\"b\":1}}",
                        whole));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("costly")
    void what_costs_much_is_counted_and_ends_within_the_steps_of_a_request(
            String name, String schema, String document, long atLeast) {
        assertThat(schema.length()).as(name).isLessThanOrEqualTo(65_536);
        var schemas = new JsonSchemas(new Failpoints());
        assertThat(schemas.fault(ACCOUNT, schema, new CheckBudget())).isNull();
        var budget = new CheckBudget(STEPS);
        List<SchemaFault> faults = schemas.check(ACCOUNT, schema, document, budget);
        // The step that is too much is counted, too; none is larger than a request.
        assertThat(budget.steps()).isBetween(atLeast, 2L * STEPS);
        if (budget.steps() >= STEPS) {
            assertThat(faults.getFirst().message())
                    .contains("too costly", SchemaLimit.REQUEST_STEPS.said() + " steps together");
        }
    }

    static Stream<Arguments> refused() {
        return Stream.of(
                Arguments.of("itself", "{\"$ref\":\"#\"}", "too costly"),
                Arguments.of(
                        "a circle",
                        "{\"$defs\":{\"a\":{\"$ref\":\"#/$defs/b\"},\"b\":{\"$ref\":\"#/$defs/a\"}},"
                            + "\"$ref\":\"#/$defs/a\"}",
                        "too costly"),
                Arguments.of(
                        "a chain",
                        "{\"$ref\":\"#/$defs/d0\",\"$defs\":{"
                                + each(
                                        1_000,
                                        i ->
                                                "\"d%d\":{\"$ref\":\"#/$defs/d%d\"}"
                                                        .formatted(i, (i + 1) % 1_000))
                                + "}}",
                        "too costly"),
                Arguments.of(
                        "another place", "{\"$ref\":\"http://10.0.0.1/s\"}", "nothing is fetched"),
                Arguments.of(
                        "one long name above many",
                        "{\"$defs\":{\""
                                + "n".repeat(30_000)
                                + "\":{\"$defs\":{"
                                + each(2_500, i -> "\"p" + i + "\":{}")
                                + "}}}}",
                        SchemaLimit.ADDRESSES.said() + " characters"),
                Arguments.of(
                        "too many patterns",
                        allOf(100, "{\"pattern\":\"a{500}\"}"),
                        SchemaLimit.PATTERNS_PARTS.said() + " parts together"),
                Arguments.of(
                        "a repeat of repeats",
                        inA("{\"pattern\":\"(a{999}){999}\"}"),
                        SchemaLimit.PATTERN_PARTS.said() + " parts"),
                Arguments.of("a number that is none", inA("{\"minItems\":1e308}"), "at most"));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void what_never_ends_or_is_too_large_is_not_registered(
            String name, String schema, String words) {
        var budget = new CheckBudget();
        SchemaFault fault = new JsonSchemas(new Failpoints()).fault(ACCOUNT, schema, budget);
        assertThat(fault).as(name).isNotNull();
        assertThat(fault.message()).contains(words);
        assertThat(budget.steps()).isLessThan(2L * STEPS);
    }

    /// A kept schema from before is answered for, not broken on.
    @ParameterizedTest(name = "{0}")
    @MethodSource("refused")
    void what_is_registered_all_the_same_gives_an_answer(String name, String schema, String words) {
        List<SchemaFault> faults =
                new JsonSchemas(new Failpoints())
                        .check(ACCOUNT, schema, "{\"a\":1}", new CheckBudget());
        assertThat(faults).as(name).hasSize(1);
        assertThat(faults.getFirst().message()).contains(words);
    }

    @Test
    void numbers_are_compared_exactly_whatever_their_size() {
        assertThat(faults(inA("{\"type\":\"integer\",\"minimum\":0}"), "{\"a\":1e308}")).isEmpty();
        assertThat(faults(inA("{\"maximum\":9007199254740992}"), "{\"a\":9007199254740993}"))
                .hasSize(1);
        assertThat(faults(inA("{\"exclusiveMinimum\":1.5}"), "{\"a\":1.50}")).hasSize(1);
        assertThat(faults(inA("{\"exclusiveMaximum\":1.5}"), "{\"a\":1.4}")).isEmpty();
        assertThat(faults(inA("{\"multipleOf\":0.01}"), "{\"a\":19.99}")).isEmpty();
        assertThat(faults(inA("{\"multipleOf\":0.01}"), "{\"a\":19.995}")).hasSize(1);
        assertThat(faults(inA("{\"multipleOf\":10}"), "{\"a\":20}")).isEmpty();
        assertThat(faults(inA("{\"multipleOf\":20}"), "{\"a\":30}")).hasSize(1);
        assertThat(faults(inA("{\"multipleOf\":100}"), "{\"a\":10}")).hasSize(1);
        assertThat(faults(inA("{\"multipleOf\":7e-300}"), "{\"a\":1e308}")).hasSize(1);
        assertThat(faults(inA("{\"multipleOf\":3}"), "{\"a\":9007199254740993}")).isEmpty();
    }

    @Test
    void items_are_unique_by_what_they_are_worth() {
        String unique = inA("{\"uniqueItems\":true}");
        assertThat(faults(unique, array("1,1.00"))).hasSize(1);
        assertThat(faults(unique, array("[1,{\"b\":2,\"c\":[]}],[1.0,{\"c\":[],\"b\":2}]")))
                .hasSize(1);
        assertThat(faults(unique, array("1,true,\"1\",[1],[\"1\"],[true],null,\"null\",0,false")))
                .isEmpty();
        assertThat(faults(unique, array("\"Aa\",\"BB\",{\"a\":\"b\"},[\"a\",\"b\"]"))).isEmpty();
    }

    private static List<SchemaFault> faults(String schema, String document) {
        return new JsonSchemas(new Failpoints())
                .check(ACCOUNT, schema, document, new CheckBudget());
    }

    /// The bound is that of the request: items add up, however small each is.
    @Test
    void a_thousand_items_have_one_budget() {
        String schema = inA("{\"pattern\":\"^(([a-z])+.)+[A-Z]([a-z])+$\"}");
        String document = "{\"a\":\"" + "a".repeat(5_000) + "\"}";
        var schemas = new JsonSchemas(new Failpoints());
        var budget = new CheckBudget(STEPS);
        int given = 0;
        for (int i = 0; i < 1_000; i++) {
            String message = schemas.check(ACCOUNT, schema, document, budget).getFirst().message();
            given += message.contains("too costly") ? 1 : 0;
        }
        assertThat(given).isGreaterThan(500);
        // Of what comes after the end, each is counted for the size of its document at the most.
        assertThat(budget.steps()).isLessThan(2L * STEPS);
    }
}
