package io.orchestrion.orchestrations.expression;

import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// Data to evaluate expressions on.
final class Data {
    static final JsonMapper JSON =
            JsonMapper.builder().enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS).build();

    static final ExecutionFacts EXECUTION = new ExecutionFacts("e-1", "c-1", "Invoice", "i-1");

    private Data() {}

    static JsonNode json(String text) {
        return JSON.readTree(text.replace('\'', '"'));
    }

    static Values values(String input) {
        return new Values(
                json(input), Map.of("a", json("{'n': 5, 'list': [1, {'x': 'y'}]}")), EXECUTION);
    }

    static Mapping mapping(String source) {
        var faults = new ArrayList<ExpressionFault>();
        Mapping mapping = Mapping.read(json(source), "", faults::add);
        if (!faults.isEmpty()) {
            throw new AssertionError(faults);
        }
        return mapping;
    }

    static Condition condition(String source) {
        var faults = new ArrayList<ExpressionFault>();
        Condition condition = Condition.read(json(source), "", faults::add);
        if (!faults.isEmpty()) {
            throw new AssertionError(faults);
        }
        return condition;
    }

    static List<ExpressionFault> conditionFaults(String source) {
        var faults = new ArrayList<ExpressionFault>();
        Condition.read(json(source), "", faults::add);
        return faults;
    }

    /// A value as JSON, or the message of a failure.
    static String told(Evaluated<?> evaluated) {
        return switch (evaluated) {
            case Evaluated.Value<?>(Object value) -> String.valueOf(value).replace('"', '\'');
            case Evaluated.Failed<?>(String code, String message) -> code + ": " + message;
        };
    }
}
