package io.orchestrion.orchestrations.expression;

import tools.jackson.databind.JsonNode;

import java.util.Map;

/// The data that expressions are evaluated on. Nobody changes it.
///
/// @param input of the execution
/// @param results by step id, of steps that have succeeded; those that an expression names are
///     enough ([Mapping#stepIds], [Condition#stepIds])
public record Values(JsonNode input, Map<String, JsonNode> results, ExecutionFacts execution) {}
