package io.orchestrion.orchestrations.expression;

import static io.orchestrion.orchestrations.expression.Data.told;
import static io.orchestrion.orchestrations.expression.Data.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CelTest {
    private static final String INPUT =
            "{'n': 5, 'd': 1.5, 'whole': 2.0, 's': 'abc', 'list': [3, 1, 2], 'o': {'a': 1},"
                    + " 'nothing': null, 'b': true}";

    static String value(String expression) {
        return told(
                new CelExpression(expression.replace('\'', '"')).evaluate(values(INPUT), "failed"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    1 + 2                                       | 3
                    input.n + 1                                 | 6
                    input.n * 2 > 9                             | true
                    input.d + 1.0                               | 2.5
                    input.n == 5.0                              | true
                    input.whole == 2                            | true
                    input.n != '5'                              | true
                    input.n < 5.5                               | true
                    'a' + input.s                               | 'aabc'
                    input.list + [4]                            | [3,1,2,4]
                    input.list.map(x, x * 2)                    | [6,2,4]
                    input.list.filter(x, x > 1)                 | [3,2]
                    input.list.exists(x, x == 3)                | true
                    input.list.all(x, x > 1)                    | false
                    input.list.exists_one(x, x > 2)             | true
                    2 in input.list                             | true
                    9 in input.list                             | false
                    'a' in input.o                              | true
                    input.o == {'a': 1.0}                       | true
                    input.o == {'a': 2}                         | false
                    [1, [2.0]] == [1.0, [2]]                    | true
                    input.nothing == null                       | true
                    input.s == null                             | false
                    has(input.o.a)                              | true
                    has(input.o.z)                              | false
                    has(input.z) ? input.z : 'none'             | 'none'
                    size(input.list)                            | 3
                    input.s.size()                              | 3
                    input.s.contains('bc')                      | true
                    input.s.startsWith('ab')                    | true
                    input.s.endsWith('x')                       | false
                    input.s.matches('^a.c$')                    | true
                    matches(input.s, 'b+')                      | true
                    string(input.n)                             | '5'
                    int('7') + 1                                | 8
                    double(input.n)                             | 5.0
                    {'x': input.n, 'y': [input.s]}              | {'x':5,'y':['abc']}
                    steps.a.result.n                            | 5
                    steps['a'].result.list[1].x                 | 'y'
                    execution.id + execution['target_object_id'] | 'e-1i-1'
                    input.b && input.n == 5                     | true
                    null                                        | null
                    timestamp('2027-01-01T00:00:00Z') + duration('60s') | '2027-01-01T00:01:00Z'
                    """)
    void an_expression_has_a_value(String expression, String expected) {
        assertThat(value(expression)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    input.z
                    input.n + 'a'
                    input.list[9]
                    1 / 0
                    steps.unknown.result
                    {1: 2}
                    0.0 / 0.0
                    b'abc'
                    type(1)
                    9223372036854775807 + 1
                    int('x')
                    input.s.matches('(')
                    input.s.matches('(a)\\\\1')
                    """)
    void an_expression_without_a_value_fails(String expression) {
        assertThat(value(expression)).startsWith("failed: The expression has no value: ");
    }

    /// The message has a place, for the author.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    input.               | cannot be read at line 1, column 7
                    1 + 'a'              | cannot be read at line 1, column 3: found no matching overload
                    unknown.x            | cannot be read at line 1, column 1: undeclared reference to 'unknown'
                    b'a' + b'b'          | cannot be read at line 1, column 6
                    now()                | cannot be read at line 1, column 4: undeclared reference
                    cel.bind(x, 1, x)    | cannot be read at line 1
                    steps                | must name the step wherever it uses steps
                    steps[input.s]       | must name the step wherever it uses steps
                    steps.map(s, s)      | must name the step wherever it uses steps
                    [1].map(steps, 1)    | must not call a variable steps
                    execution.secret     | names no fact of an execution with execution.secret
                    """)
    void a_fault_is_told_with_its_place(String expression, String expected) {
        assertThat(new CelExpression(expression.replace('\'', '"')).fault(false))
                .startsWith(expected.replace("'unknown'", "'unknown'"));
    }

    @Test
    void a_condition_must_be_able_to_be_true_or_false() {
        assertThat(new CelExpression("1 + 1").fault(true))
                .isEqualTo("has the type int where a condition must be true or false");
        assertThat(new CelExpression("input.b").fault(true)).isNull();
        assertThat(new CelExpression("input.n > 1").fault(true)).isNull();
        assertThat(new CelExpression("1 + 1").fault(false)).isNull();
    }

    @Test
    void its_steps_are_told() {
        assertThat(new CelExpression("steps.a.result.x + steps[\"b-c\"].result.y").stepIds())
                .containsExactlyInAnyOrder("a", "b-c");
        assertThat(new CelExpression("[1].all(x, steps.a.result == x)").stepIds())
                .containsExactly("a");
    }

    @Test
    void a_message_is_one_short_line() {
        String shown = CelProgram.shown("x".repeat(500) + "\nsecond line");

        assertThat(shown).hasSize(201).endsWith("…");
    }
}
