package io.orchestrion.server.observe;

import io.orchestrion.kernel.signals.SubjectSeen;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/// What an engine said of a change beside the change itself: the simple values of its data, in the
/// engine's order. Lists and objects are left to the readers of the events.
///
/// @param failed whether the subject came to a bad end
record SubjectWords(Map<String, Object> values, boolean failed) {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int MOST = 32;
    private static final int NAME_MAX = 40;
    private static final Set<String> BAD_ENDS = Set.of("failed", "timed_out");

    static SubjectWords of(SubjectSeen seen) {
        var values = new LinkedHashMap<String, Object>();
        if (seen.data() != null) {
            for (Map.Entry<String, JsonNode> each : JSON.readTree(seen.data()).properties()) {
                JsonNode value = each.getValue();
                boolean simple = value.isValueNode() && !value.isNull();
                if (simple && values.size() < MOST && each.getKey().length() <= NAME_MAX) {
                    values.put(each.getKey(), simple(value));
                }
            }
        }
        return new SubjectWords(values, seen.to() != null && BAD_ENDS.contains(seen.to()));
    }

    private static Object simple(JsonNode value) {
        if (value.isBoolean()) {
            return value.asBoolean();
        }
        return value.canConvertToLong() && value.isIntegralNumber()
                ? (Object) value.asLong()
                : value.asString();
    }

    /// What tells it from others, with the number of the attempt.
    Map<String, String> ids() {
        var ids = new LinkedHashMap<String, String>();
        values.forEach(
                (name, value) -> {
                    if (name.endsWith("_id") || name.equals("attempt_number")) {
                        ids.put(name, String.valueOf(value));
                    }
                });
        return ids;
    }

    /// Why it failed, in one word.
    String why() {
        return String.valueOf(values.getOrDefault("error_code", "failed"));
    }
}
