package io.orchestrion.orchestrations.expression;

import tools.jackson.databind.JsonNode;

import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What is true or false of the data of an execution: `{"path", "op", "value"}`, joined by `all`,
/// `any` and `not`, or an expression of CEL.
public sealed interface Condition {
    /// @param pointer of the operation in the document
    record Comparison(Reference path, ConditionOp op, JsonNode value, String pointer)
            implements Condition {}

    record All(List<Condition> conditions) implements Condition {}

    record Any(List<Condition> conditions) implements Condition {}

    record Not(Condition condition) implements Condition {}

    /// @param pointer of the expression in the document
    record Cel(CelExpression expression, String pointer) implements Condition {}

    /// @param pointer of the source in its document
    /// @param faults what of it cannot be read; a condition with faults is not to be tested
    static Condition read(JsonNode source, String pointer, Consumer<ExpressionFault> faults) {
        return new ConditionReader(faults).read(source, pointer);
    }

    /// `all` and `any` look no further than they have to. Only CEL can fail.
    default Evaluated<Boolean> test(Values values) {
        return switch (this) {
            case Comparison(Reference path, ConditionOp op, JsonNode value, String _) ->
                    new Evaluated.Value<>(op.holds(path.find(values), value));
            case All(List<Condition> conditions) -> until(conditions, values, false);
            case Any(List<Condition> conditions) -> until(conditions, values, true);
            case Not(Condition condition) ->
                    switch (condition.test(values)) {
                        case Evaluated.Value<Boolean>(Boolean holds) ->
                                new Evaluated.Value<>(!holds);
                        case Evaluated.Failed<Boolean> failed -> failed;
                    };
            case Cel(CelExpression expression, String _) ->
                    switch (expression.evaluate(values, Evaluated.CONDITION_FAILED)) {
                        case Evaluated.Value<JsonNode>(JsonNode value) when value.isBoolean() ->
                                new Evaluated.Value<>(value.booleanValue());
                        case Evaluated.Value<JsonNode> _ ->
                                new Evaluated.Failed<>(
                                        Evaluated.CONDITION_FAILED,
                                        "The expression gives neither true nor false.");
                        case Evaluated.Failed<JsonNode>(String code, String message) ->
                                new Evaluated.Failed<>(code, message);
                    };
        };
    }

    private static Evaluated<Boolean> until(
            List<Condition> conditions, Values values, boolean decisive) {
        for (Condition condition : conditions) {
            Evaluated<Boolean> tested = condition.test(values);
            if (!(tested instanceof Evaluated.Value<Boolean>(Boolean holds)) || holds == decisive) {
                return tested;
            }
        }
        return new Evaluated.Value<>(!decisive);
    }

    /// The steps whose results it uses.
    default Set<String> stepIds() {
        return uses().stream().map(StepUse::stepId).collect(Collectors.toUnmodifiableSet());
    }

    /// The same with the places.
    default List<StepUse> uses() {
        return parts().flatMap(Condition::ownUses).toList();
    }

    /// Its expressions of CEL, with their places.
    default List<CelUse> cel() {
        return parts().filter(Cel.class::isInstance)
                .map(Cel.class::cast)
                .map(cel -> new CelUse(cel.pointer, cel.expression, true))
                .toList();
    }

    private Stream<Condition> parts() {
        return switch (this) {
            case Comparison _, Cel _ -> Stream.of(this);
            case All(List<Condition> conditions) -> conditions.stream().flatMap(Condition::parts);
            case Any(List<Condition> conditions) -> conditions.stream().flatMap(Condition::parts);
            case Not(Condition condition) -> condition.parts();
        };
    }

    private Stream<StepUse> ownUses() {
        return switch (this) {
            case Comparison(Reference path, ConditionOp op, JsonNode _, String pointer) ->
                    path.stepId() == null
                            ? Stream.empty()
                            : Stream.of(new StepUse(pointer, path.stepId(), !op.takesValue()));
            case Cel(CelExpression expression, String pointer) ->
                    expression.stepIds().stream()
                            .sorted()
                            .map(id -> new StepUse(pointer, id, false));
            case All _, Any _, Not _ -> Stream.empty();
        };
    }
}
