package io.orchestrion.sdk.plan;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.cfg.JsonNodeFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/// The JSON of plans. Numbers of inputs keep every digit.
final class PlanNodes {
    private static final JsonMapper JSON =
            JsonMapper.builder()
                    .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                    .disable(JsonNodeFeature.STRIP_TRAILING_BIGDECIMAL_ZEROES)
                    .build();

    private PlanNodes() {}

    static ObjectNode object() {
        return JSON.createObjectNode();
    }

    /// @param what the name of the text in the exception's message
    static JsonNode read(String json, String what) {
        try {
            return JSON.readTree(json);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(what + " is not JSON: " + e.getOriginalMessage(), e);
        }
    }

    static String text(JsonNode node) {
        return JSON.writeValueAsString(node);
    }
}
