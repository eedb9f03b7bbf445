package io.orchestrion.sdk.definition;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// A place in the data of an execution: a value, and what conditions compare. From [Value#input],
/// [Value#result] and [Value#execution].
///
/// ```java
/// Condition large = Value.input("order.amount").atLeast(1000);
/// Condition known = Value.result("lookup", "customer").exists();
/// ```
///
/// What is missing counts as null. Numbers compare by their value. Only two numbers or two texts
/// are more or less than each other.
public final class Reference extends Value {
    private final String text;

    Reference(String text) {
        this.text = text;
    }

    /// As a definition has it, such as `$.input.order`.
    public String text() {
        return text;
    }

    Reference below(String path) {
        return new Reference(text + (path.startsWith("[") ? "" : ".") + path);
    }

    @Override
    JsonNode node() {
        return JSON.createObjectNode().put("$ref", text);
    }

    /// The same, with a fixed value for when there is nothing. Without one, a mapping of a place
    /// where there is nothing fails the step.
    public Value orElse(@Nullable Object otherwise) {
        ObjectNode node = JSON.createObjectNode().put("$ref", text);
        node.set("default", fixed(otherwise));
        return new Built(node);
    }

    private Condition compared(String op, @Nullable Object value) {
        ObjectNode node = JSON.createObjectNode().put("path", text).put("op", op);
        node.set("value", fixed(value));
        return new Condition(node);
    }

    private Condition alone(String op) {
        return new Condition(JSON.createObjectNode().put("path", text).put("op", op));
    }

    /// Equal to it.
    public Condition is(@Nullable Object value) {
        return compared("eq", value);
    }

    /// Not equal to it.
    public Condition isNot(@Nullable Object value) {
        return compared("ne", value);
    }

    public Condition lessThan(Object value) {
        return compared("lt", value);
    }

    public Condition atMost(Object value) {
        return compared("le", value);
    }

    public Condition moreThan(Object value) {
        return compared("gt", value);
    }

    public Condition atLeast(Object value) {
        return compared("ge", value);
    }

    private static ArrayNode list(Object... values) {
        ArrayNode list = JSON.createArrayNode();
        for (Object each : values) {
            list.add(fixed(each));
        }
        return list;
    }

    /// One of these.
    public Condition in(Object... values) {
        return compared("in", list(values));
    }

    /// None of these.
    public Condition notIn(Object... values) {
        return compared("not_in", list(values));
    }

    /// There, and not null.
    public Condition exists() {
        return alone("exists");
    }

    /// Missing or null.
    public Condition notExists() {
        return alone("not_exists");
    }

    /// A text with this text in it, or a list with this element.
    public Condition contains(Object value) {
        return compared("contains", value);
    }

    public Condition startsWith(String text) {
        return compared("starts_with", text);
    }

    public Condition endsWith(String text) {
        return compared("ends_with", text);
    }
}
