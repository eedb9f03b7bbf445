package io.orchestrion.orchestrations.expression;

import io.orchestrion.kernel.document.Pointers;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/// A mapping, taken apart.
sealed interface MappingPart {
    /// The same whatever the data.
    record Fixed(JsonNode value) implements MappingPart {}

    /// @param orElse where there is nothing
    record Referred(Reference reference, JsonNode orElse) implements MappingPart {}

    record Computed(CelExpression expression) implements MappingPart {}

    record Members(Map<String, MappingPart> members) implements MappingPart {}

    record Elements(List<MappingPart> elements) implements MappingPart {}

    default Stream<StepUse> uses(String pointer) {
        return switch (this) {
            case Fixed _ -> Stream.empty();
            case Referred(Reference reference, JsonNode orElse) ->
                    reference.stepId() == null
                            ? Stream.empty()
                            : Stream.of(
                                    new StepUse(
                                            Pointers.child(pointer, "$ref"),
                                            reference.stepId(),
                                            !orElse.isNull()));
            case Computed(CelExpression expression) ->
                    expression.stepIds().stream()
                            .sorted()
                            .map(id -> new StepUse(Pointers.child(pointer, "$cel"), id, false));
            case Members(Map<String, MappingPart> members) ->
                    members.entrySet().stream()
                            .flatMap(
                                    member ->
                                            member.getValue()
                                                    .uses(
                                                            Pointers.child(
                                                                    pointer, member.getKey())));
            case Elements(List<MappingPart> elements) ->
                    IntStream.range(0, elements.size())
                            .boxed()
                            .flatMap(i -> elements.get(i).uses(Pointers.child(pointer, i)));
        };
    }

    default Stream<CelUse> cel(String pointer) {
        return switch (this) {
            case Fixed _, Referred _ -> Stream.empty();
            case Computed(CelExpression expression) ->
                    Stream.of(new CelUse(Pointers.child(pointer, "$cel"), expression, false));
            case Members(Map<String, MappingPart> members) ->
                    members.entrySet().stream()
                            .flatMap(
                                    member ->
                                            member.getValue()
                                                    .cel(Pointers.child(pointer, member.getKey())));
            case Elements(List<MappingPart> elements) ->
                    IntStream.range(0, elements.size())
                            .boxed()
                            .flatMap(i -> elements.get(i).cel(Pointers.child(pointer, i)));
        };
    }
}
