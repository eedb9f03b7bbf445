package io.orchestrion.orchestrations.expression;

import static io.orchestrion.orchestrations.expression.Data.told;
import static io.orchestrion.orchestrations.expression.Data.values;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Expressions that were made to use all memory or all time: each ends with a failure.
class CelBoundsTest {
    private static final String INPUT =
            "{'text': '"
                    + "a".repeat(60_000)
                    + "', 'hundred': ["
                    + "1,".repeat(99)
                    + "1], 'names': ['"
                    + "x','".repeat(50)
                    + "']}";

    private static String value(String expression) {
        return told(
                new CelExpression(expression.replace('\'', '"')).evaluate(values(INPUT), "failed"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                // Texts that double.
                "['aaaaaaaaaaaaaaaa'].map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x)"
                    + ".map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x)",
                // Lists that double.
                "[[1,1,1,1]].map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x)"
                    + ".map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x).map(x,x+x+x+x+x+x+x+x)",
                // Lists of themselves, which take no memory before they are written.
                "[1].map(x,[x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x])"
                    + ".map(x,[x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x])",
                // The same, compared with each other.
                "[1].map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x])"
                    + " == [1].map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x])"
                    + ".map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,[x,x,x,x,x,x,x,x,x,x]).map(x,x)",
                // Many large texts.
                "input.hundred.map(x, input.text + string(x))",
                // Loops in loops.
                "input.hundred.all(a, input.hundred.all(b, input.hundred.all(c,"
                        + " input.hundred.all(d, d == 1))))",
                // Searches for nearly everything.
                "input.hundred.all(x, !input.text.contains(input.text + 'b') && !(input.text +"
                        + " 'c').contains(input.text + 'b'))",
                // Patterns that are large, many times over a large text.
                "input.hundred.all(x, !input.text.matches('(a?){30}(a?){30}(a?){30}b'))",
                "input.text.matches('((a{1,30}){1,30}b)')",
            })
    void an_expression_is_given_up_when_it_does_too_much(String expression) {
        assertThat(value(expression)).startsWith("failed: The expression ");
    }

    @Test
    void the_work_of_an_evaluation_is_counted() {
        var budget = new CelBudget(ExpressionLimits.CEL_WORK);
        var compiled = (CelProgram) CelCompiling.compile("input.text + input.text");

        assertThat(compiled.evaluate(values(INPUT), "failed", budget))
                .isInstanceOf(Evaluated.Value.class);
        assertThat(budget.left()).isEqualTo(ExpressionLimits.CEL_WORK - 120_001);
    }

    @Test
    void what_is_used_up_ends_the_evaluation() {
        var compiled = (CelProgram) CelCompiling.compile("input.text + input.text");

        assertThat(told(compiled.evaluate(values(INPUT), "failed", new CelBudget(120_000))))
                .isEqualTo(
                        "failed: The expression has no value: it takes more work than an expression"
                                + " may.");
    }

    /// `||` and `all` go on after an error where the other side decides. Not after this one.
    @Test
    void nothing_swallows_that_it_was_given_up() {
        var compiled =
                (CelProgram) CelCompiling.compile("(input.text + input.text == \"\") || true");

        assertThat(compiled.evaluate(values(INPUT), "failed", new CelBudget(10)))
                .isInstanceOf(Evaluated.Failed.class);
    }

    @Test
    void a_long_list_is_mapped_without_copying_it_each_time() {
        var budget = new CelBudget(ExpressionLimits.CEL_WORK);
        var compiled = (CelProgram) CelCompiling.compile("input.list.map(x, x + 1)");
        Values values = values("{'list': [" + "1,".repeat(8_999) + "1]}");

        assertThat(compiled.evaluate(values, "failed", budget)).isInstanceOf(Evaluated.Value.class);
        assertThat(ExpressionLimits.CEL_WORK - budget.left()).isLessThan(40_000);
    }

    @Test
    void turns_of_loops_are_counted_over_the_whole_evaluation() {
        assertThat(value("input.hundred.all(a, input.hundred.all(b, b == 1))"))
                .contains("Iteration budget");
        assertThat(value("input.hundred.all(a, input.names.all(b, b == 'x' || b == ''))"))
                .isEqualTo("true");
    }

    @Test
    void the_number_of_loops_is_bounded() {
        assertThat(new CelExpression("[1]" + ".map(x,x)".repeat(10)).fault(false)).isNull();
        assertThat(new CelExpression("[1]" + ".map(x,x)".repeat(11)).fault(false))
                .startsWith("has more than 10");
    }
}
