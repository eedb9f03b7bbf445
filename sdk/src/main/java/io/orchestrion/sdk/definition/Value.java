package io.orchestrion.sdk.definition;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.List;
import java.util.Map;

/// A value of a definition: fixed, taken from the data of the execution, computed, or put together
/// of such values. A mapping, in the words of the guide.
///
/// ```java
/// Value input = Value.object()
///         .with("order", Value.input("order.id"))
///         .with("cents", Value.cel("input.order.amount * 100"))
///         .with("receipt", Value.result("charge", "receipt").orElse("none"))
///         .with("currency", "EUR");
/// ```
public abstract sealed class Value permits Reference, Value.Fixed, Value.Built, ObjectValue {
    static final JsonMapper JSON = JsonMapper.shared();

    Value() {}

    /// As a definition has it.
    abstract JsonNode node();

    /// The JSON of the value as a definition has it.
    @Override
    public String toString() {
        return node().toString();
    }

    /// The whole input of the execution.
    public static Reference input() {
        return new Reference("$.input");
    }

    /// A part of the input of the execution.
    ///
    /// @param path such as `order.lines[0].amount`; a name of other characters is `["a name"]`
    public static Reference input(String path) {
        return input().below(path);
    }

    /// The whole result of a step that comes before.
    public static Reference result(String stepId) {
        return new Reference("$.steps." + stepId + ".result");
    }

    /// A part of the result of a step that comes before.
    public static Reference result(String stepId, String path) {
        return result(stepId).below(path);
    }

    /// A fact of the execution itself.
    ///
    /// @param fact `id`, `correlation_id`, `target_object_type` or `target_object_id`
    public static Reference execution(String fact) {
        return new Reference("$.execution." + fact);
    }

    /// What an expression of the Common Expression Language gives, such as
    /// `input.amount * 2`. It sees `input`, `steps.ID.result` and `execution`.
    public static Value cel(String expression) {
        return new Built(JSON.createObjectNode().put("$cel", expression));
    }

    /// An object; [ObjectValue#with] adds its fields.
    public static ObjectValue object() {
        return new ObjectValue();
    }

    /// A text, a number, a boolean, null, or a list or map of these. A list or map may have values
    /// that are taken from the execution.
    ///
    /// @throws IllegalArgumentException for anything else
    public static Value of(@Nullable Object value) {
        return switch (value) {
            case Value already -> already;
            case List<?> list -> list(list);
            case Map<?, ?> map -> {
                ObjectValue object = object();
                map.forEach((name, each) -> object.with(String.valueOf(name), each));
                yield object;
            }
            case null, default -> new Fixed(fixed(value));
        };
    }

    /// A fixed value, as JSON text.
    public static Value json(String text) {
        return new Fixed(JSON.readTree(text));
    }

    private static Value list(List<?> elements) {
        var list = JSON.createArrayNode();
        var plain = JSON.createArrayNode();
        boolean fixed = true;
        for (Object each : elements) {
            Value value = of(each);
            list.add(value.node());
            JsonNode raw = raw(value);
            fixed &= raw != null;
            plain.add(raw);
        }
        return fixed ? new Fixed(plain) : new Built(list);
    }

    /// The value itself where it rests on nothing; else null.
    static @Nullable JsonNode raw(Value value) {
        return switch (value) {
            case Fixed fixed -> fixed.raw;
            case ObjectValue object -> object.raw();
            case Reference _, Built _ -> null;
        };
    }

    /// The fixed value that is meant.
    ///
    /// @throws IllegalArgumentException if it rests on data of the execution
    static JsonNode fixed(@Nullable Object value) {
        return switch (value) {
            case null -> JSON.nullNode();
            case JsonNode node -> node;
            case String text -> JSON.getNodeFactory().stringNode(text);
            case Boolean yes -> JSON.getNodeFactory().booleanNode(yes);
            case Number number -> JSON.valueToTree(number);
            case Enum<?> word -> JSON.getNodeFactory().stringNode(word.name());
            case List<?> _, Map<?, ?> _, Value _ -> {
                JsonNode raw = raw(of(value));
                if (raw == null) {
                    throw new IllegalArgumentException(
                            "only a fixed value can stand here, not " + value);
                }
                yield raw;
            }
            default ->
                    throw new IllegalArgumentException(
                            "a value is a text, a number, a boolean, null, a list or a map, not "
                                    + value.getClass().getName());
        };
    }

    /// Whether it holds a name that a definition would take for an order of its own.
    private static boolean needsQuotes(JsonNode node) {
        return node.propertyStream().anyMatch(each -> each.getKey().startsWith("$"))
                || node.valueStream().anyMatch(Value::needsQuotes);
    }

    /// The same JSON, marked as fixed where it could be read in another way.
    static JsonNode quoted(JsonNode raw) {
        return needsQuotes(raw) ? JSON.createObjectNode().set("$literal", raw) : raw;
    }

    /// Rests on nothing.
    static final class Fixed extends Value {
        private final JsonNode raw;

        private Fixed(JsonNode raw) {
            this.raw = raw;
        }

        @Override
        JsonNode node() {
            return quoted(raw);
        }
    }

    /// Computed, or with parts that are.
    static final class Built extends Value {
        private final JsonNode node;

        Built(JsonNode node) {
            this.node = node;
        }

        @Override
        JsonNode node() {
            return node;
        }
    }
}
