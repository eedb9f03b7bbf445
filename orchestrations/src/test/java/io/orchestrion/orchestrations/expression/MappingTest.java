package io.orchestrion.orchestrations.expression;

import static io.orchestrion.orchestrations.expression.Data.mapping;
import static io.orchestrion.orchestrations.expression.Data.told;
import static io.orchestrion.orchestrations.expression.Data.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

/// CB-016: data flows by reference.
class MappingTest {
    private static final String INPUT =
            "{'a': {'b': [10, 20]}, 'n': null, 'odd name': {'x.y': 1, '': 2, 'q\\\"': 3}, 'big':"
                    + " 1e300}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1                                          | 1
                    'text'                                     | 'text'
                    null                                       | null
                    {'a': [1, {'b': true}]}                    | {'a':[1,{'b':true}]}
                    {'$ref': '$.input.a.b[1]'}                 | 20
                    {'$ref': '$.input.a'}                      | {'b':[10,20]}
                    {'$ref': '$.input["odd name"]["x.y"]'}     | 1
                    {'$ref': '$.input.big'}                    | 1E+300
                    {'$ref': '$.steps.a.result.list[1].x'}     | 'y'
                    {'$ref': '$.steps.a.result'}               | {'n':5,'list':[1,{'x':'y'}]}
                    {'$ref': '$.execution.id'}                 | 'e-1'
                    {'$ref': '$.execution.correlation_id'}     | 'c-1'
                    {'$ref': '$.execution.target_object_type'} | 'Invoice'
                    {'$ref': '$.execution.target_object_id'}   | 'i-1'
                    {'$ref': '$.input.none'}                   | null
                    {'$ref': '$.input.a.b[9].c'}               | null
                    {'$ref': '$.input.a.b.c'}                  | null
                    {'$ref': '$.input.none', 'default': [7]}   | [7]
                    {'$ref': '$.input.n', 'default': 7}        | null
                    {'$ref': '$.steps.z.result.x'}             | null
                    {'$literal': {'$ref': '$.input.a'}}        | {'$ref':'$.input.a'}
                    {'x': [{'$ref': '$.input.a.b[0]'}, 2]}     | {'x':[10,2]}
                    {'$cel': 'input.a.b[0] + 1'}               | 11
                    """)
    void what_is_named_takes_the_place_of_its_name(String source, String expected) {
        String json = source.replace("[\"", "[\\'").replace("\"]", "\\']");

        assertThat(told(mapping(json).evaluate(values(INPUT)))).isEqualTo(expected);
    }

    @Test
    void what_is_the_same_for_all_data_is_known_to_be() {
        assertThat(mapping("{'a': [1, {'b': true}]}").isFixed()).isTrue();
        assertThat(mapping("{'$literal': 1}").isFixed()).isTrue();
        assertThat(mapping("{'a': {'$ref': '$.input'}}").isFixed()).isFalse();
    }

    @Test
    void the_steps_that_it_needs_are_told_with_their_places() {
        Mapping mapping =
                mapping(
                        "{'x/y': [{'$ref': '$.steps.b.result'}], 'z': {'$cel': 'steps.a.result == steps[\\'c-d\\'].result'}}"
                                .replace("\\'", "\\\""));

        assertThat(mapping.stepIds()).containsExactlyInAnyOrder("a", "b", "c-d");
        assertThat(mapping.uses())
                .containsExactly(
                        new StepUse("/x~1y/0/$ref", "b", false),
                        new StepUse("/z/$cel", "a", false),
                        new StepUse("/z/$cel", "c-d", false));
    }

    @Test
    void what_is_not_named_is_not_looked_at() {
        assertThat(told(mapping("{'$ref': '$.input.a'}").evaluate(values("[]")))).isEqualTo("null");
    }

    /// Thousands of references to one value of 60 KB would be hundreds of megabytes.
    @Test
    void a_mapping_gives_a_bounded_amount() {
        String many =
                IntStream.range(0, 5_000)
                        .mapToObj(_ -> "{'$ref': '$.input.x'}")
                        .collect(Collectors.joining(","));
        Values values = values("{'x': '" + "x".repeat(60_000) + "'}");

        assertThat(told(mapping("[" + many + "]").evaluate(values)))
                .isEqualTo(
                        "mapping_failed: The mapping gives more than 1048576 characters of JSON.");
        assertThat(mapping("[{'$ref': '$.input.x'}]").evaluate(values))
                .isInstanceOf(Evaluated.Value.class);
    }

    @Test
    void a_mapping_equals_one_of_the_same_source() {
        assertThat(mapping("{'$ref': '$.input.a'}"))
                .isEqualTo(mapping("{'$ref': '$.input.a'}"))
                .isNotEqualTo(mapping("{'$ref': '$.input.b'}"));
    }
}
