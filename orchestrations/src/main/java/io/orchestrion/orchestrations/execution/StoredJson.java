package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/// Reads JSON that is stored. Numbers keep all of their digits, and none becomes infinite.
final class StoredJson {
    /// As doors bound what they take.
    private static final int STRANGE_DEPTH = 60;

    private static final int EXPONENT_MAX = 308;

    private static final JsonMapper JSON =
            // What is stored was bounded by the door, which knows no bound for a name alone.
            mapper(StreamReadConstraints.builder().maxNameLength(Integer.MAX_VALUE).build())
                    .build();

    private static final JsonMapper STRANGE =
            mapper(StreamReadConstraints.builder().maxNestingDepth(STRANGE_DEPTH).build())
                    .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                    .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
                    .build();

    private StoredJson() {}

    private static JsonMapper.Builder mapper(StreamReadConstraints constraints) {
        return JsonMapper.builder(JsonFactory.builder().streamReadConstraints(constraints).build())
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS);
    }

    /// @param json null for a JSON null
    static JsonNode read(@Nullable String json) {
        return JSON.readTree(json == null ? "null" : json);
    }

    /// What somebody else says that it is JSON; null where it is not, or could not be kept.
    static @Nullable JsonNode ofStranger(String text) {
        try {
            JsonNode node = STRANGE.readTree(text);
            return isStorable(node) ? node : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private static boolean isStorable(JsonNode node) {
        if (node.isMissingNode()) {
            return false;
        }
        if (node.isString()) {
            return isStorable(node.stringValue());
        }
        if (node.isBigDecimal()) {
            return Math.abs((long) node.decimalValue().scale()) <= 2 * EXPONENT_MAX;
        }
        if (node.isObject()) {
            return node.properties().stream()
                    .allMatch(each -> isStorable(each.getKey()) && isStorable(each.getValue()));
        }
        return node.valueStream().allMatch(StoredJson::isStorable);
    }

    /// No text of the database holds U+0000, and UTF-8 has no form for half a surrogate pair.
    private static boolean isStorable(String text) {
        return text.codePoints()
                .noneMatch(each -> each == 0 || Character.getType(each) == Character.SURROGATE);
    }
}
