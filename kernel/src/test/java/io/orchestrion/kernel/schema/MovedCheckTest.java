package io.orchestrion.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.fault.Failpoints;

import org.junit.jupiter.api.Test;

import java.util.UUID;

class MovedCheckTest {
    private static final String SCHEMA =
            """
            {"type": "object", "required": ["list"], "properties": {"list": {"items": {"$ref": "#/$defs/one"}}},
             "$defs": {"one": {"oneOf": [{"type": "string"}, {"properties": {"a": {"not": {"const": 1}}}, "type": "object"}]}}}
            """;
    private static final String DOCUMENT = "{\"list\": [\"x\", {\"a\": 2}, {\"a\": [3]}, \"y\"]}";

    private final JsonSchemas schemas = new JsonSchemas(new Failpoints());

    /// A check that goes to another thread begins anew there, wherever it was.
    @Test
    void a_check_may_move_at_each_of_its_steps() {
        var whole = new CheckBudget();
        assertThat(schemas.check(UUID.randomUUID(), SCHEMA, DOCUMENT, whole)).isEmpty();
        int steps = Math.toIntExact(whole.steps());

        for (int before = 0; before <= steps; before++) {
            var budget = new CheckBudget();
            budget.charge(SchemaLimit.INLINE_STEPS.max() - before);
            assertThat(schemas.check(UUID.randomUUID(), SCHEMA, DOCUMENT, budget))
                    .as("%d steps before the move", before)
                    .isEmpty();
        }
    }

    /// What is too costly is told as such, and not as a check that broke.
    @Test
    void a_check_may_end_at_each_of_its_steps() {
        schemas.check(UUID.randomUUID(), SCHEMA, DOCUMENT, new CheckBudget());
        var again = new CheckBudget();
        assertThat(schemas.check(UUID.randomUUID(), SCHEMA, DOCUMENT, again)).isEmpty();

        for (int left = 0; left < again.steps(); left++) {
            var budget = new CheckBudget();
            budget.moveAway();
            budget.charge(SchemaLimit.REQUEST_STEPS.max() - left);
            assertThat(schemas.check(UUID.randomUUID(), SCHEMA, DOCUMENT, budget))
                    .as("%d steps left", left)
                    .singleElement()
                    .extracting(SchemaFault::message)
                    .asString()
                    .contains("too costly");
        }
    }
}
