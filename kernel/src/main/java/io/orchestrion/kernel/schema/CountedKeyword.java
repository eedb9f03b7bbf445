package io.orchestrion.kernel.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DecimalNode;

import java.util.HashMap;

/// A keyword that pays for its work before it does it. The validator tells of each keyword that it
/// comes to, but one keyword can look at thousands of names, values or characters.
record CountedKeyword(Keyword keyword) implements Keyword {
    /// How many names are looked up, or values passed on, in one step.
    private static final int NAMES = 8;

    private static final int VALUES = 4;

    @Override
    public String getValue() {
        return keyword.getValue();
    }

    @Override
    public @Nullable KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema parent, SchemaContext context)
            throws Exception {
        KeywordValidator made = keyword.newValidator(location, value, parent, context);
        return made == null ? null : new Counted(made, value, fixed(getValue(), value));
    }

    /// The cost that does not depend on the value.
    private static long fixed(String keyword, JsonNode value) {
        return switch (keyword) {
            case "properties", "required", "prefixItems" -> value.size() / NAMES;
            case "dependentRequired" -> {
                long names = 0;
                for (JsonNode list : value) {
                    names += list.size();
                }
                yield names / NAMES;
            }
            case "enum" -> mostOfOneHash(value);
            // Both say in a fault what they are.
            case "const", "not" -> value.toString().length() / BoundedRun.CHARACTERS;
            default -> 0;
        };
    }

    /// How many values of a list a look-up may have to compare: those that were made to have the
    /// same hash.
    private static int mostOfOneHash(JsonNode values) {
        int most = 0;
        var counts = new HashMap<Integer, Integer>();
        for (JsonNode value : values) {
            JsonNode compared =
                    value.isNumber()
                            ? DecimalNode.valueOf(value.decimalValue().stripTrailingZeros())
                            : value;
            most = Math.max(most, counts.merge(compared.hashCode(), 1, Integer::sum));
        }
        return most;
    }

    private record Counted(KeywordValidator made, JsonNode value, long fixed)
            implements KeywordValidator {
        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            var run = (BoundedRun) context;
            charge(run, node, place);
            int faults = context.getErrors().size();
            made.validate(context, node, root, place);
            if (context.getErrors().size() > faults) {
                // Notes that were made below a schema that does not match are gone through and
                // removed.
                run.budget().charge((long) run.notesAt(place) * (1 + run.depth() / NAMES));
            }
        }

        private void charge(BoundedRun run, JsonNode node, NodePath place) {
            CheckBudget budget = run.budget();
            budget.charge(fixed);
            if (run.isUnevaluatedPropertiesPresent() || run.isUnevaluatedItemsPresent()) {
                // Each schema above is asked whether it wants to know.
                budget.charge(run.depth() / NAMES);
            }
            switch (made.getKeyword()) {
                case "properties",
                        "patternProperties",
                        "additionalProperties",
                        "propertyNames",
                        "dependentSchemas",
                        "dependentRequired",
                        "items",
                        "contains" ->
                        budget.charge(node.size() / VALUES);
                case "unevaluatedProperties", "unevaluatedItems" ->
                        budget.charge(
                                (1L + run.notesAt(place))
                                        * (1 + node.size() / VALUES + run.depth() / NAMES));
                case "minLength", "maxLength" -> {
                    if (node.isString()) {
                        budget.charge(node.stringValue().length() / BoundedRun.CHARACTERS);
                    }
                }
                case "enum", "const" -> Weight.chargeAll(budget, node);
                case "uniqueItems" -> {
                    budget.charge(node.size());
                    Weight.chargeAll(budget, node);
                }
                case "type",
                        "multipleOf",
                        "minimum",
                        "maximum",
                        "exclusiveMinimum",
                        "exclusiveMaximum" ->
                        Weight.chargeNumber(budget, node, value);
                default -> {}
            }
        }

        @Override
        public void preloadSchema() {
            made.preloadSchema();
        }

        @Override
        public String getKeyword() {
            return made.getKeyword();
        }

        @Override
        public SchemaLocation getSchemaLocation() {
            return made.getSchemaLocation();
        }
    }
}
