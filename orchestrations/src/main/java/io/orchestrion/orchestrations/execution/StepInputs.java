package io.orchestrion.orchestrations.execution;

import io.orchestrion.orchestrations.definition.CallRequest;
import io.orchestrion.orchestrations.definition.StepSpec;
import io.orchestrion.orchestrations.expression.ExecutionFacts;
import io.orchestrion.orchestrations.expression.Mapping;
import io.orchestrion.orchestrations.expression.Values;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.nio.charset.StandardCharsets;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/// What steps of one execution are given: values of mappings, from its input and the results so
/// far.
final class StepInputs {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Turn turn;

    /// What was read already: hundreds of decisions in a row may look at the same.
    private final Map<String, JsonNode> results = new HashMap<>();

    private @Nullable JsonNode input;

    StepInputs(Turn turn) {
        this.turn = turn;
    }

    /// The value of a mapping in an execution.
    JsonNode evaluate(Execution execution, Mapping mapping) throws SQLException {
        return NoValue.unless(mapping.evaluate(values(execution, mapping.stepIds())));
    }

    JsonNode request(Execution execution, CallRequest asked, String url) throws SQLException {
        ObjectNode request = JSON.createObjectNode();
        request.put("url", url);
        request.put("method", asked.method());
        request.put("has_body", asked.hasBody());
        ObjectNode headers = request.putObject("headers");
        for (var header : asked.headers().entrySet()) {
            JsonNode value = evaluate(execution, header.getValue());
            if (!value.isNull()) {
                headers.put(
                        header.getKey(), value.isString() ? value.asString() : value.toString());
            }
        }
        Mapping body = asked.body();
        if (body != null) {
            request.set("body", evaluate(execution, body));
        }
        return request;
    }

    static String bounded(JsonNode value, int most) {
        String text = value.toString();
        if (text.getBytes(StandardCharsets.UTF_8).length > most) {
            throw new NoValue(
                    NoValue.error(
                            Codes.MAPPING_FAILED, "the input is larger than " + most + " bytes"));
        }
        return text;
    }

    JsonNode input(Execution execution, StepSpec spec) throws SQLException {
        Mapping mapping = spec.input();
        return mapping == null ? executionInput(execution) : evaluate(execution, mapping);
    }

    Values values(Execution execution, Set<String> stepIds) throws SQLException {
        var named = new HashMap<String, JsonNode>();
        turn.results(execution, stepIds)
                .forEach(
                        (id, result) -> {
                            if (stepIds.contains(id)) {
                                named.put(
                                        id,
                                        results.computeIfAbsent(id, _ -> StoredJson.read(result)));
                            }
                        });
        return new Values(
                executionInput(execution),
                named,
                new ExecutionFacts(
                        execution.id().toString(),
                        execution.asked().correlationId(),
                        execution.asked().target().type(),
                        execution.asked().target().id()));
    }

    private JsonNode executionInput(Execution execution) {
        JsonNode known = input;
        if (known == null) {
            known = StoredJson.read(execution.asked().input());
            input = known;
        }
        return known;
    }
}
