package io.orchestrion.kernel.schema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.keyword.AbstractKeyword;
import com.networknt.schema.keyword.BaseKeywordValidator;
import com.networknt.schema.keyword.Keyword;
import com.networknt.schema.keyword.KeywordValidator;
import com.networknt.schema.path.NodePath;

import tools.jackson.databind.JsonNode;

import java.util.HashSet;
import java.util.TreeMap;

/// The keyword `uniqueItems`. The validator's own version compares an item with all others of the
/// same hash, and a sender can make all hashes the same. Sorting texts does not have that weakness.
final class UniqueItems extends AbstractKeyword {
    UniqueItems() {
        super("uniqueItems");
    }

    @Override
    public KeywordValidator newValidator(
            SchemaLocation location, JsonNode value, Schema parent, SchemaContext context) {
        return new Validator(this, location, value, parent, context);
    }

    private static final class Validator extends BaseKeywordValidator {
        private final boolean wanted;

        Validator(
                Keyword keyword,
                SchemaLocation location,
                JsonNode value,
                Schema parent,
                SchemaContext context) {
            super(keyword, value, location, parent, context);
            wanted = value.isBoolean() && value.booleanValue();
        }

        @Override
        public void validate(
                ExecutionContext context, JsonNode node, JsonNode root, NodePath place) {
            if (!wanted || !node.isArray()) {
                return;
            }
            var seen = new HashSet<String>();
            for (JsonNode item : node) {
                var text = new StringBuilder();
                append(text, item);
                if (!seen.add(text.toString())) {
                    context.addError(
                            error().instanceNode(node)
                                    .instanceLocation(place)
                                    .evaluationPath(context.getEvaluationPath())
                                    .locale(context.getExecutionConfig().getLocale())
                                    .build());
                    return;
                }
            }
        }

        /// One text for each value: numbers by their value, names in order.
        private static void append(StringBuilder out, JsonNode node) {
            if (node.isNumber()) {
                out.append('n').append(node.decimalValue().stripTrailingZeros()).append(';');
            } else if (node.isString()) {
                append(out, node.stringValue());
            } else if (node.isArray()) {
                out.append('[');
                for (JsonNode each : node) {
                    append(out, each);
                }
                out.append(']');
            } else if (node.isObject()) {
                var members = new TreeMap<String, JsonNode>();
                node.properties()
                        .forEach(member -> members.put(member.getKey(), member.getValue()));
                out.append('{');
                members.forEach(
                        (name, value) -> {
                            append(out, name);
                            append(out, value);
                        });
                out.append('}');
            } else {
                out.append(node.isNull() ? "0" : node.booleanValue() ? "t" : "f");
            }
        }

        private static void append(StringBuilder out, String text) {
            out.append('s').append(text.length()).append(':').append(text);
        }
    }
}
