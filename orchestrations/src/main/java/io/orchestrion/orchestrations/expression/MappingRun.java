package io.orchestrion.orchestrations.expression;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;

/// One evaluation of a mapping. It counts what comes out, as a few references to one large value
/// can stand for more than there is memory.
final class MappingRun {
    private final Values values;
    private long left = ExpressionLimits.MAPPED_CHARACTERS;

    MappingRun(Values values) {
        this.values = values;
    }

    Evaluated<JsonNode> run(MappingPart part) {
        return switch (part) {
            case MappingPart.Fixed(JsonNode value) -> counted(value);
            case MappingPart.Referred(Reference reference, JsonNode orElse) -> {
                JsonNode found = reference.find(values);
                yield counted(found.isMissingNode() ? orElse : found);
            }
            case MappingPart.Computed(CelExpression expression) ->
                    switch (expression.evaluate(values, Evaluated.MAPPING_FAILED)) {
                        case Evaluated.Value<JsonNode>(JsonNode value) -> counted(value);
                        case Evaluated.Failed<JsonNode> failed -> failed;
                    };
            case MappingPart.Members(Map<String, MappingPart> members) -> members(members);
            case MappingPart.Elements(List<MappingPart> elements) -> elements(elements);
        };
    }

    private Evaluated<JsonNode> members(Map<String, MappingPart> members) {
        ObjectNode object = JsonNodeFactory.instance.objectNode();
        for (var member : members.entrySet()) {
            left -= member.getKey().length() + 4L;
            switch (run(member.getValue())) {
                case Evaluated.Value<JsonNode>(JsonNode value) ->
                        object.set(member.getKey(), value);
                case Evaluated.Failed<JsonNode> failed -> {
                    return failed;
                }
            }
        }
        return new Evaluated.Value<>(object);
    }

    private Evaluated<JsonNode> elements(List<MappingPart> elements) {
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        for (MappingPart element : elements) {
            left--;
            switch (run(element)) {
                case Evaluated.Value<JsonNode>(JsonNode value) -> array.add(value);
                case Evaluated.Failed<JsonNode> failed -> {
                    return failed;
                }
            }
        }
        return new Evaluated.Value<>(array);
    }

    private Evaluated<JsonNode> counted(JsonNode value) {
        left = Json.left(value, left);
        return left < 0
                ? new Evaluated.Failed<>(
                        Evaluated.MAPPING_FAILED,
                        "The mapping gives more than "
                                + ExpressionLimits.MAPPED_CHARACTERS
                                + " characters of JSON.")
                : new Evaluated.Value<>(value);
    }
}
