package io.orchestrion.orchestrations.expression;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/// JSON in which parts are replaced by data:
///
/// - `{"$ref": "$.input.a[0]"}` by the value at a place ([Reference]). Where there is none, by the
///   value of `"default"` beside it, or else by null.
/// - `{"$cel": "input.a + 1"}` by the value of an expression.
/// - `{"$literal": …}` by that value as it stands, so that data may have names that begin with `$`.
///
/// Everything else is itself.
public final class Mapping {
    private final JsonNode source;
    private final MappingPart part;
    private final String pointer;

    Mapping(JsonNode source, MappingPart part, String pointer) {
        this.source = source;
        this.part = part;
        this.pointer = pointer;
    }

    /// @param pointer of the source in its document
    /// @param faults what of it cannot be read, and stands as null in the mapping
    public static Mapping read(JsonNode source, String pointer, Consumer<ExpressionFault> faults) {
        return new Mapping(source, new MappingReader(faults).read(source, pointer), pointer);
    }

    /// As the definition has it. Not to be changed.
    public JsonNode source() {
        return source;
    }

    /// Whether it gives the same whatever the data.
    public boolean isFixed() {
        return part instanceof MappingPart.Fixed;
    }

    /// The steps whose results it uses.
    public Set<String> stepIds() {
        return part.uses(pointer).map(StepUse::stepId).collect(Collectors.toUnmodifiableSet());
    }

    /// The same with the places.
    public List<StepUse> uses() {
        return part.uses(pointer).toList();
    }

    /// Its expressions of CEL, with their places.
    public List<CelUse> cel() {
        return part.cel(pointer).toList();
    }

    /// The value. It may share parts with the data and with the mapping, so nobody changes it.
    public Evaluated<JsonNode> evaluate(Values values) {
        return new MappingRun(values).run(part);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Mapping mapping && source.equals(mapping.source);
    }

    @Override
    public int hashCode() {
        return source.hashCode();
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
