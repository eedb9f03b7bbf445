package io.orchestrion.sdk.definition;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.Map;

/// An object whose fields are values; from [Value#object].
///
/// ```java
/// Value input = Value.object().with("order", Value.input("order")).with("copies", 2);
/// ```
public final class ObjectValue extends Value {
    private final Map<String, Value> fields = new LinkedHashMap<>();

    ObjectValue() {}

    /// Adds a field.
    ///
    /// @param value as [Value#of] takes it
    /// @return the object itself
    public ObjectValue with(String name, @Nullable Object value) {
        fields.put(name, of(value));
        return this;
    }

    /// Null where a field rests on data of the execution.
    @Nullable JsonNode raw() {
        ObjectNode raw = JSON.createObjectNode();
        for (var field : fields.entrySet()) {
            JsonNode value = raw(field.getValue());
            if (value == null) {
                return null;
            }
            raw.set(field.getKey(), value);
        }
        return raw;
    }

    @Override
    JsonNode node() {
        JsonNode raw = raw();
        if (raw != null) {
            return quoted(raw);
        }
        ObjectNode node = JSON.createObjectNode();
        fields.forEach(
                (name, value) -> {
                    if (name.startsWith("$")) {
                        throw new IllegalArgumentException(
                                "a field beside computed ones cannot begin with $: " + name);
                    }
                    node.set(name, value.node());
                });
        return node;
    }
}
