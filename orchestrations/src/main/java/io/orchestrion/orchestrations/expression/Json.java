package io.orchestrion.orchestrations.expression;

import tools.jackson.databind.JsonNode;

/// What JSON values are to expressions.
final class Json {
    private Json() {}

    /// The same value: numbers by what they are worth, objects whatever the order of their names.
    /// What is missing is null.
    static boolean same(JsonNode one, JsonNode other) {
        if (isNull(one) || isNull(other)) {
            return isNull(one) && isNull(other);
        }
        if (one.isNumber() && other.isNumber()) {
            return one.decimalValue().compareTo(other.decimalValue()) == 0;
        }
        if (one.isArray() && other.isArray()) {
            boolean same = one.size() == other.size();
            for (int i = 0; same && i < one.size(); i++) {
                same = same(one.get(i), other.get(i));
            }
            return same;
        }
        if (one.isObject() && other.isObject()) {
            return one.size() == other.size()
                    && one.properties().stream()
                            .allMatch(
                                    member ->
                                            other.has(member.getKey())
                                                    && same(
                                                            member.getValue(),
                                                            other.get(member.getKey())));
        }
        return one.equals(other);
    }

    static boolean isNull(JsonNode node) {
        return node.isMissingNode() || node.isNull();
    }

    /// What is left of so many characters when the value is written as JSON, roughly; negative when
    /// they are not enough. The walk ends there.
    static long left(JsonNode node, long characters) {
        if (node.isString()) {
            return characters - node.stringValue().length() - 2;
        }
        long left = characters - 2;
        if (node.isArray()) {
            for (JsonNode each : node) {
                if (left < 0) {
                    return left;
                }
                left = left(each, left - 1);
            }
        } else if (node.isObject()) {
            for (var member : node.properties()) {
                if (left < 0) {
                    return left;
                }
                left = left(member.getValue(), left - member.getKey().length() - 4);
            }
        } else if (node.isNumber()) {
            left -= digits(node);
        } else {
            left -= 3;
        }
        return left;
    }

    private static long digits(JsonNode number) {
        var value = number.decimalValue();
        return value.precision() + Math.abs((long) value.scale());
    }
}
