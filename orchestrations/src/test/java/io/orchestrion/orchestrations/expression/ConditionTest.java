package io.orchestrion.orchestrations.expression;

import static io.orchestrion.orchestrations.expression.Data.condition;
import static io.orchestrion.orchestrations.expression.Data.told;
import static io.orchestrion.orchestrations.expression.Data.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Collections;

/// CB-016, E-031: conditions of decisions.
class ConditionTest {
    private static final String INPUT =
            "{'n': 5, 'half': 0.5, 'text': 'abc', 'list': [1, 2.0, 'x'], 'o': {'a': 1, 'b': [2]},"
                    + " 'nothing': null, 'yes': true, 'big': 12345678901234567890123, 'astral':"
                    + " '\\uD83D\\uDE00', 'high': '\\uFF5E'}";

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    n       | eq          | 5          | true
                    n       | eq          | 5.0        | true
                    n       | eq          | 50e-1      | true
                    n       | eq          | '5'        | false
                    n       | ne          | '5'        | true
                    n       | ne          | 5          | false
                    half    | eq          | 0.50       | true
                    text    | eq          | 'abc'      | true
                    o       | eq          | {'b': [2.0], 'a': 1} | true
                    o       | eq          | {'a': 1}   | false
                    list    | eq          | [1, 2, 'x'] | true
                    list    | eq          | [1, 2]     | false
                    nothing | eq          | null       | true
                    none    | eq          | null       | true
                    none    | eq          | 0          | false
                    none    | ne          | 0          | true
                    yes     | eq          | true       | true
                    yes     | eq          | 'true'     | false
                    n       | lt          | 5.1        | true
                    n       | lt          | 5          | false
                    n       | le          | 5          | true
                    n       | gt          | 4.9        | true
                    n       | gt          | 5          | false
                    n       | ge          | 5          | true
                    big     | gt          | 12345678901234567890122 | true
                    big     | eq          | 12345678901234567890124 | false
                    n       | lt          | '6'        | false
                    n       | ge          | '6'        | false
                    none    | lt          | 1          | false
                    nothing | ge          | 0          | false
                    yes     | gt          | false      | false
                    text    | lt          | 'abd'      | true
                    text    | gt          | 'ab'       | true
                    text    | ge          | 'abc'      | true
                    astral  | gt          | '\\uFF5E'  | true
                    n       | in          | [4, 5.0]   | true
                    n       | in          | []         | false
                    n       | not_in      | [4, 5]     | false
                    n       | not_in      | ['5']      | true
                    none    | in          | [null]     | true
                    none    | not_in      | [1]        | true
                    list    | contains    | 2          | true
                    list    | contains    | 3          | false
                    text    | contains    | 'bc'       | true
                    text    | contains    | 'd'        | false
                    n       | contains    | '5'        | false
                    o       | contains    | 'a'        | false
                    text    | starts_with | 'ab'       | true
                    text    | starts_with | 'b'        | false
                    n       | starts_with | '5'        | false
                    text    | ends_with   | 'bc'       | true
                    none    | ends_with   | ''         | false
                    """)
    void a_comparison_holds_by_value(String name, String op, String value, boolean expected) {
        Condition condition =
                condition(
                        "{'path': '$.input."
                                + name
                                + "', 'op': '"
                                + op
                                + "', 'value': "
                                + value
                                + "}");

        assertThat(condition.test(values(INPUT))).isEqualTo(new Evaluated.Value<>(expected));
    }

    @ParameterizedTest
    @CsvSource({"n,true", "nothing,false", "none,false", "o.b[0],true", "o.b[1],false"})
    void what_is_null_or_missing_does_not_exist(String name, boolean expected) {
        assertThat(
                        condition("{'path': '$.input." + name + "', 'op': 'exists'}")
                                .test(values(INPUT)))
                .isEqualTo(new Evaluated.Value<>(expected));
        assertThat(
                        condition("{'path': '$.input." + name + "', 'op': 'not_exists'}")
                                .test(values(INPUT)))
                .isEqualTo(new Evaluated.Value<>(!expected));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    {'all': [T, T]}          | true
                    {'all': [T, F]}          | false
                    {'any': [F, T]}          | true
                    {'any': [F, F]}          | false
                    {'not': T}               | false
                    {'not': {'not': T}}      | true
                    {'any': [{'all': [T, F]}, {'not': F}]} | true
                    {'all': [F, E]}          | false
                    {'any': [T, E]}          | true
                    {'$cel': 'input.n > 4'}  | true
                    """)
    void conditions_are_joined(String source, boolean expected) {
        String full =
                source.replace("T", "{'path': '$.input.n', 'op': 'eq', 'value': 5}")
                        .replace("F", "{'path': '$.input.n', 'op': 'eq', 'value': 6}")
                        .replace("E", "{'$cel': 'input.none'}");

        assertThat(condition(full).test(values(INPUT))).isEqualTo(new Evaluated.Value<>(expected));
    }

    @Test
    void an_expression_that_fails_fails_the_condition() {
        assertThat(told(condition("{'not': {'$cel': 'input.none'}}").test(values(INPUT))))
                .startsWith("condition_failed: The expression has no value: ");
        assertThat(told(condition("{'$cel': 'input.n'}").test(values(INPUT))))
                .isEqualTo("condition_failed: The expression gives neither true nor false.");
    }

    @Test
    void its_steps_are_told() {
        Condition condition =
                condition(
                        "{'all': [{'path': '$.steps.a.result', 'op': 'eq', 'value': 1}, {'not':"
                                + " {'path': '$.steps.b.result', 'op': 'exists'}}]}");

        assertThat(condition.stepIds()).containsExactlyInAnyOrder("a", "b");
        assertThat(condition.uses())
                .containsExactly(
                        new StepUse("/all/0/path", "a", false),
                        new StepUse("/all/1/not/path", "b", true));
    }

    @Test
    void depth_and_number_are_bounded() {
        String leaf = "{'path': '$.input', 'op': 'exists'}";
        String nine = "{'not': ".repeat(9) + leaf + "}".repeat(9);
        String list = String.join(",", Collections.nCopies(50, leaf));

        assertThat(Data.conditionFaults(nine)).isEmpty();
        assertThat(Data.conditionFaults("{'not': " + nine + "}")).hasSize(1);
        assertThat(Data.conditionFaults("{'all': [" + list + "]}")).isEmpty();
        assertThat(Data.conditionFaults("{'all': [" + list + "," + leaf + "]}")).hasSize(1);
        String lists = String.join(",", Collections.nCopies(4, "{'any': [" + list + "]}"));
        assertThat(Data.conditionFaults("{'all': [" + lists + "]}"))
                .singleElement()
                .extracting(ExpressionFault::message)
                .isEqualTo("A condition has at most 200 conditions within it.");
    }
}
