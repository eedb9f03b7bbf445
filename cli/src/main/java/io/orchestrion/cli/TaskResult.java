package io.orchestrion.cli;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.json.JsonMapper;

/// What a program leaves as its result, as the tasks door takes it: a JSON object.
final class TaskResult {
    private TaskResult() {}

    /// The program's own object, or one around its words.
    static String of(String written) {
        try {
            if (JsonMapper.shared().readTree(written).isObject()) {
                return written;
            }
        } catch (JacksonException e) {
            // Words.
        }
        return JsonMapper.shared().createObjectNode().put("summary", written).toString();
    }
}
