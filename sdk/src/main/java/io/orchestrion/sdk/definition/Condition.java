package io.orchestrion.sdk.definition;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/// What decides whether a branch is taken.
///
/// ```java
/// Condition risky = Condition.any(
///         Value.input("amount").moreThan(10_000),
///         Condition.not(Value.result("lookup", "country").in("DE", "AT", "CH")));
/// Condition odd = Condition.cel("input.amount % 2 == 1");
/// ```
///
/// A comparison begins with a [Reference].
public final class Condition {
    private final ObjectNode node;

    Condition(ObjectNode node) {
        this.node = node;
    }

    ObjectNode node() {
        return node;
    }

    private static Condition of(String word, Condition... parts) {
        ObjectNode node = Value.JSON.createObjectNode();
        ArrayNode list = node.putArray(word);
        for (Condition each : parts) {
            list.add(each.node);
        }
        return new Condition(node);
    }

    /// All of them hold.
    public static Condition all(Condition... parts) {
        return of("all", parts);
    }

    /// At least one of them holds.
    public static Condition any(Condition... parts) {
        return of("any", parts);
    }

    /// It does not hold.
    public static Condition not(Condition condition) {
        ObjectNode node = Value.JSON.createObjectNode();
        node.set("not", condition.node);
        return new Condition(node);
    }

    /// An expression of the Common Expression Language that gives a boolean.
    public static Condition cel(String expression) {
        return new Condition(Value.JSON.createObjectNode().put("$cel", expression));
    }

    /// The JSON of the condition as a definition has it.
    @Override
    public String toString() {
        return node.toString();
    }
}
