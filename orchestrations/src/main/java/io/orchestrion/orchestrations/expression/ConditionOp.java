package io.orchestrion.orchestrations.expression;

import tools.jackson.databind.JsonNode;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// How a condition compares a place in the data with its own value.
///
/// What is missing is null. Numbers compare by what they are worth (`1` is `1.0`). Only numbers
/// with numbers and texts with texts are more or less than each other, texts by code points;
/// anything else is neither, so `lt` and `ge` can both be false.
public enum ConditionOp {
    EQ,
    NE,
    LT,
    LE,
    GT,
    GE,
    /// The value is a list that has it.
    IN,
    NOT_IN,
    /// It is there and not null.
    EXISTS,
    NOT_EXISTS,
    /// A text has the value in it, or a list has it as an element.
    CONTAINS,
    STARTS_WITH,
    ENDS_WITH;

    private final String word = name().toLowerCase(Locale.ROOT);

    /// As a definition says it.
    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ConditionOp::word).toList();
    }

    static Optional<ConditionOp> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }

    boolean takesValue() {
        return this != EXISTS && this != NOT_EXISTS;
    }

    boolean takesList() {
        return this == IN || this == NOT_IN;
    }

    boolean takesText() {
        return this == STARTS_WITH || this == ENDS_WITH;
    }

    boolean holds(JsonNode found, JsonNode value) {
        return switch (this) {
            case EQ -> Json.same(found, value);
            case NE -> !Json.same(found, value);
            case LT -> compared(found, value).filter(order -> order < 0).isPresent();
            case LE -> compared(found, value).filter(order -> order <= 0).isPresent();
            case GT -> compared(found, value).filter(order -> order > 0).isPresent();
            case GE -> compared(found, value).filter(order -> order >= 0).isPresent();
            case IN -> has(value, found);
            case NOT_IN -> !has(value, found);
            case EXISTS -> !Json.isNull(found);
            case NOT_EXISTS -> Json.isNull(found);
            case CONTAINS ->
                    found.isArray()
                            ? has(found, value)
                            : texts(found, value)
                                    && found.stringValue().contains(value.stringValue());
            case STARTS_WITH ->
                    texts(found, value) && found.stringValue().startsWith(value.stringValue());
            case ENDS_WITH ->
                    texts(found, value) && found.stringValue().endsWith(value.stringValue());
        };
    }

    private static boolean has(JsonNode list, JsonNode value) {
        for (JsonNode each : list) {
            if (Json.same(each, value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean texts(JsonNode found, JsonNode value) {
        return found.isString() && value.isString();
    }

    private static Optional<Integer> compared(JsonNode found, JsonNode value) {
        if (found.isNumber() && value.isNumber()) {
            return Optional.of(found.decimalValue().compareTo(value.decimalValue()));
        }
        return texts(found, value)
                ? Optional.of(
                        Arrays.compare(
                                found.stringValue().codePoints().toArray(),
                                value.stringValue().codePoints().toArray()))
                : Optional.empty();
    }
}
