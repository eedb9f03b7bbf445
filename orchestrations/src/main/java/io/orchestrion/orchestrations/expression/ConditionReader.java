package io.orchestrion.orchestrations.expression;

import io.orchestrion.kernel.document.Pointers;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/// Takes a condition apart.
final class ConditionReader {
    /// Stands for what cannot be read.
    private static final Condition NEVER = new Condition.Any(List.of());

    private static final String FORMS =
            "Write {\"path\", \"op\", \"value\"}, {\"all\": […]}, {\"any\": […]}, {\"not\": {…}} or"
                    + " {\"$cel\": \"…\"}.";

    private final Consumer<ExpressionFault> faults;
    private int parts;

    ConditionReader(Consumer<ExpressionFault> faults) {
        this.faults = faults;
    }

    Condition read(JsonNode node, String pointer) {
        return read(node, pointer, 1);
    }

    private Condition read(JsonNode node, String pointer, int depth) {
        if (++parts > ExpressionLimits.CONDITION_PARTS) {
            if (parts == ExpressionLimits.CONDITION_PARTS + 1) {
                fault(
                        pointer,
                        "A condition has at most "
                                + ExpressionLimits.CONDITION_PARTS
                                + " conditions within it.",
                        "Split it over several decisions.");
            }
            return NEVER;
        }
        if (depth > ExpressionLimits.CONDITION_DEPTH) {
            return fault(
                    pointer,
                    "Conditions are nested at most "
                            + ExpressionLimits.CONDITION_DEPTH
                            + " levels deep.",
                    "Nest less, or split it over several decisions.");
        }
        if (!node.isObject()) {
            return fault(pointer, "A condition is an object.", FORMS);
        }
        if (node.has("all")) {
            List<Condition> list = list(node, "all", pointer, depth);
            return list == null ? NEVER : new Condition.All(list);
        }
        if (node.has("any")) {
            List<Condition> list = list(node, "any", pointer, depth);
            return list == null ? NEVER : new Condition.Any(list);
        }
        if (node.has("not")) {
            return only(node, Set.of("not"), pointer)
                    ? new Condition.Not(
                            read(node.get("not"), Pointers.child(pointer, "not"), depth + 1))
                    : NEVER;
        }
        return node.has("$cel") ? cel(node, pointer) : comparison(node, pointer);
    }

    private @Nullable List<Condition> list(JsonNode node, String name, String pointer, int depth) {
        if (!only(node, Set.of(name), pointer)) {
            return null;
        }
        JsonNode list = node.get(name);
        String at = Pointers.child(pointer, name);
        if (!list.isArray() || list.isEmpty() || list.size() > ExpressionLimits.CONDITION_LIST) {
            fault(
                    at,
                    "It is a list of 1 to " + ExpressionLimits.CONDITION_LIST + " conditions.",
                    FORMS);
            return null;
        }
        var conditions = new ArrayList<Condition>();
        for (int i = 0; i < list.size(); i++) {
            conditions.add(read(list.get(i), Pointers.child(at, i), depth + 1));
        }
        return List.copyOf(conditions);
    }

    private Condition cel(JsonNode node, String pointer) {
        if (!only(node, Set.of("$cel"), pointer)) {
            return NEVER;
        }
        String at = Pointers.child(pointer, "$cel");
        CelExpression expression = MappingReader.cel(node.get("$cel"), at, faults);
        return expression == null ? NEVER : new Condition.Cel(expression, at);
    }

    private Condition comparison(JsonNode node, String pointer) {
        if (!node.has("path") || !node.has("op")) {
            return fault(pointer, "A condition has a path and an op.", FORMS);
        }
        if (!only(node, Set.of("path", "op", "value"), pointer)) {
            return NEVER;
        }
        String at = Pointers.child(pointer, "path");
        Reference path = MappingReader.reference(node.get("path"), at, faults);
        ConditionOp op = ConditionOp.named(node.get("op").asString("")).orElse(null);
        if (op == null) {
            return fault(
                    Pointers.child(pointer, "op"),
                    "The op is none that there is.",
                    "Use one of " + String.join(", ", ConditionOp.words()) + ".");
        }
        String fault = valueFault(op, node.get("value"));
        if (fault != null) {
            return fault(
                    Pointers.child(pointer, "value"),
                    fault,
                    "Change the value, or use another op.");
        }
        JsonNode value = node.get("value");
        return path == null
                ? NEVER
                : new Condition.Comparison(
                        path, op, value == null ? NullNode.getInstance() : value, at);
    }

    private static @Nullable String valueFault(ConditionOp op, @Nullable JsonNode value) {
        if (!op.takesValue()) {
            return value == null ? null : "The op " + op.word() + " takes no value.";
        }
        if (value == null) {
            return "The op " + op.word() + " takes a value.";
        }
        if (op.takesList()
                && (!value.isArray() || value.size() > ExpressionLimits.CONDITION_VALUES)) {
            return "The op "
                    + op.word()
                    + " takes a list of at most "
                    + ExpressionLimits.CONDITION_VALUES
                    + " values.";
        }
        return op.takesText() && !value.isString()
                ? "The op " + op.word() + " takes a text."
                : null;
    }

    private boolean only(JsonNode object, Set<String> names, String pointer) {
        for (String name : object.propertyNames()) {
            if (!names.contains(name)) {
                fault(Pointers.child(pointer, name), "The condition has another field.", FORMS);
                return false;
            }
        }
        return true;
    }

    private Condition fault(String pointer, String message, String hint) {
        faults.accept(new ExpressionFault(pointer, ExpressionFault.Kind.CONDITION, message, hint));
        return NEVER;
    }
}
