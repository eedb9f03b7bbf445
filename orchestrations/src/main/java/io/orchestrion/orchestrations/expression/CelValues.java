package io.orchestrion.orchestrations.expression;

import com.google.common.primitives.UnsignedLong;

import dev.cel.common.values.NullValue;
import dev.cel.runtime.CelVariableResolver;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// JSON as CEL sees it and back. Whole numbers of 64 bits are ints, other numbers doubles.
final class CelValues implements CelVariableResolver {
    private static final JsonNodeFactory JSON = JsonNodeFactory.instance;

    private final Values values;
    private final Set<String> stepIds;
    private @Nullable Object input;
    private @Nullable Object steps;
    private long left = ExpressionLimits.MAPPED_CHARACTERS;

    CelValues(Values values, Set<String> stepIds) {
        this.values = values;
        this.stepIds = stepIds;
    }

    @Override
    public Optional<Object> find(String name) {
        return switch (name) {
            case "input" -> {
                if (input == null) {
                    input = ofJson(values.input());
                }
                yield Optional.of(input);
            }
            case "steps" -> {
                if (steps == null) {
                    steps = steps();
                }
                yield Optional.of(steps);
            }
            case "execution" -> Optional.of(execution());
            default -> Optional.empty();
        };
    }

    private Map<String, Object> steps() {
        var results = new LinkedHashMap<String, Object>();
        for (String id : stepIds) {
            JsonNode result = values.results().get(id);
            if (result != null) {
                results.put(id, Map.of("result", ofJson(result)));
            }
        }
        return results;
    }

    private Map<String, Object> execution() {
        var facts = new LinkedHashMap<String, Object>();
        for (String name : ExecutionFacts.NAMES) {
            facts.put(name, values.execution().fact(name));
        }
        return facts;
    }

    private static Object ofJson(JsonNode node) {
        if (node.isObject()) {
            var map = new LinkedHashMap<String, Object>();
            for (var member : node.properties()) {
                map.put(member.getKey(), ofJson(member.getValue()));
            }
            return map;
        }
        if (node.isArray()) {
            var list = new ArrayList<Object>(node.size());
            for (JsonNode each : node) {
                list.add(ofJson(each));
            }
            return list;
        }
        if (node.isString()) {
            return node.stringValue();
        }
        if (node.isBoolean()) {
            return node.booleanValue();
        }
        if (node.isNumber()) {
            return node.isIntegralNumber() && node.canConvertToLong()
                    ? (Object) node.longValue()
                    // Of a number beyond doubles it makes an infinite one.
                    : (Object) node.decimalValue().doubleValue();
        }
        return NullValue.NULL_VALUE;
    }

    /// @throws NoJson if JSON has no such value, or it is too large
    JsonNode toJson(Object value) {
        count(1);
        return switch (value) {
            case Boolean truth -> JSON.booleanNode(truth);
            case Long whole -> JSON.numberNode(whole);
            case UnsignedLong whole -> JSON.numberNode(whole.bigIntegerValue());
            case Double number -> number(number);
            case String text -> {
                count(text.length());
                yield JSON.stringNode(text);
            }
            case List<?> list -> list(list);
            case Map<?, ?> map -> map(map);
            case Instant moment -> JSON.stringNode(moment.toString());
            case Duration duration -> JSON.stringNode(duration.toString());
            case NullValue _ -> JSON.nullNode();
            default -> throw new NoJson("it gives a value that JSON does not have");
        };
    }

    private static JsonNode number(double number) {
        if (!Double.isFinite(number)) {
            throw new NoJson("it gives a number that JSON does not have");
        }
        return JSON.numberNode(number);
    }

    private JsonNode list(List<?> list) {
        ArrayNode array = JSON.arrayNode();
        for (Object each : list) {
            array.add(toJson(each));
        }
        return array;
    }

    private JsonNode map(Map<?, ?> map) {
        ObjectNode object = JSON.objectNode();
        for (Map.Entry<?, ?> entry : map.entrySet()) {
            if (!(entry.getKey() instanceof String name)) {
                throw new NoJson("it gives a map whose keys are not texts");
            }
            count(name.length());
            object.set(name, toJson(entry.getValue()));
        }
        return object;
    }

    private void count(int characters) {
        left -= characters + 1L;
        if (left < 0) {
            throw new NoJson(
                    "it gives more than "
                            + ExpressionLimits.MAPPED_CHARACTERS
                            + " characters of JSON");
        }
    }

    /// There is no JSON for a value of CEL.
    static final class NoJson extends RuntimeException {
        private static final long serialVersionUID = 1;

        NoJson(String message) {
            super(message, null, false, false);
        }
    }
}
