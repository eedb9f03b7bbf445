package io.orchestrion.orchestrations.expression;

import io.orchestrion.kernel.document.Pointers;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.NullNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/// Takes a mapping apart. What cannot be read stands as null.
final class MappingReader {
    private static final MappingPart NOTHING = new MappingPart.Fixed(NullNode.getInstance());

    private final Consumer<ExpressionFault> faults;

    MappingReader(Consumer<ExpressionFault> faults) {
        this.faults = faults;
    }

    MappingPart read(JsonNode node, String pointer) {
        if (node.isArray()) {
            return elements(node, pointer);
        }
        if (!node.isObject()) {
            return new MappingPart.Fixed(node);
        }
        for (String name : node.propertyNames()) {
            if (name.startsWith("$")) {
                return replaced(node, name, pointer);
            }
        }
        return members(node, pointer);
    }

    private MappingPart elements(JsonNode list, String pointer) {
        var elements = new ArrayList<MappingPart>();
        boolean fixed = true;
        for (int i = 0; i < list.size(); i++) {
            MappingPart part = read(list.get(i), Pointers.child(pointer, i));
            fixed &= part instanceof MappingPart.Fixed(JsonNode value) && value == list.get(i);
            elements.add(part);
        }
        return fixed
                ? new MappingPart.Fixed(list)
                : new MappingPart.Elements(List.copyOf(elements));
    }

    private MappingPart members(JsonNode object, String pointer) {
        Map<String, MappingPart> members = new LinkedHashMap<>();
        boolean fixed = true;
        for (var member : object.properties()) {
            MappingPart part = read(member.getValue(), Pointers.child(pointer, member.getKey()));
            fixed &=
                    part instanceof MappingPart.Fixed(JsonNode value) && value == member.getValue();
            members.put(member.getKey(), part);
        }
        return fixed ? new MappingPart.Fixed(object) : new MappingPart.Members(members);
    }

    private MappingPart replaced(JsonNode object, String name, String pointer) {
        switch (name) {
            case "$ref" -> {
                return only(object, Set.of("$ref", "default"), pointer)
                        ? reference(object, pointer)
                        : NOTHING;
            }
            case "$cel" -> {
                return only(object, Set.of("$cel"), pointer) ? cel(object, pointer) : NOTHING;
            }
            case "$literal" -> {
                return only(object, Set.of("$literal"), pointer)
                        ? new MappingPart.Fixed(object.get("$literal"))
                        : NOTHING;
            }
            default -> {
                fault(
                        Pointers.child(pointer, name),
                        ExpressionFault.Kind.MAPPING,
                        "Names that begin with $ have a meaning in a mapping, and this is none of"
                                + " $ref, $cel and $literal.",
                        "Put data with such names under \"$literal\".");
                return NOTHING;
            }
        }
    }

    private boolean only(JsonNode object, Set<String> names, String pointer) {
        for (String name : object.propertyNames()) {
            if (!names.contains(name)) {
                fault(
                        Pointers.child(pointer, name),
                        ExpressionFault.Kind.MAPPING,
                        "An object that is replaced by data has no other names.",
                        "Remove the name, or move it outside of the object.");
                return false;
            }
        }
        return true;
    }

    private MappingPart reference(JsonNode object, String pointer) {
        Reference reference =
                reference(object.get("$ref"), Pointers.child(pointer, "$ref"), faults);
        JsonNode orElse = object.path("default");
        return reference == null
                ? NOTHING
                : new MappingPart.Referred(
                        reference, orElse.isMissingNode() ? NullNode.getInstance() : orElse);
    }

    private MappingPart cel(JsonNode object, String pointer) {
        CelExpression expression = cel(object.get("$cel"), Pointers.child(pointer, "$cel"), faults);
        return expression == null ? NOTHING : new MappingPart.Computed(expression);
    }

    static @Nullable Reference reference(
            JsonNode node, String pointer, Consumer<ExpressionFault> faults) {
        Reference.Read read =
                node.isString()
                        ? Reference.read(node.stringValue())
                        : new Reference.Read(null, "is not a text");
        if (read.fault() != null) {
            faults.accept(
                    new ExpressionFault(
                            pointer,
                            ExpressionFault.Kind.REFERENCE,
                            "The reference " + read.fault() + ".",
                            "Write it as $.input.a, $.steps.<step id>.result.a[0] or"
                                    + " $.execution.id."));
        }
        return read.reference();
    }

    static @Nullable CelExpression cel(
            JsonNode node, String pointer, Consumer<ExpressionFault> faults) {
        String source = node.isString() ? node.stringValue() : "";
        if (source.isBlank()
                || source.codePointCount(0, source.length()) > ExpressionLimits.CEL_CHARACTERS) {
            faults.accept(
                    new ExpressionFault(
                            pointer,
                            ExpressionFault.Kind.CEL,
                            "A CEL expression is a text of 1 to "
                                    + ExpressionLimits.CEL_CHARACTERS
                                    + " characters.",
                            "Write an expression, or split it over several steps."));
            return null;
        }
        return new CelExpression(source);
    }

    private void fault(String pointer, ExpressionFault.Kind kind, String message, String hint) {
        faults.accept(new ExpressionFault(pointer, kind, message, hint));
    }
}
