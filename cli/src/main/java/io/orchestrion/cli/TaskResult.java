package io.orchestrion.cli;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// The result that a program leaves, as the tasks door takes it: a JSON object.
final class TaskResult {
    private static final int MAX_BYTES = 65_536;

    private TaskResult() {}

    /// The program's own object, or one around its words.
    static String of(String written, Consumer<String> complaints) {
        try {
            JsonNode json = JsonMapper.shared().readTree(written);
            if (json.isObject()) {
                int bytes = json.toString().getBytes(StandardCharsets.UTF_8).length;
                if (bytes <= MAX_BYTES) {
                    return written;
                }
                complaints.accept(
                        "result file: a task's result has at most "
                                + MAX_BYTES
                                + " bytes, not "
                                + bytes
                                + "; only its beginning is kept");
            }
        } catch (JacksonException e) {
            // Words.
        }
        return JsonMapper.shared()
                .createObjectNode()
                .put("summary", Screen.shortened(written, ChildProgram.RESULT_MAX))
                .toString();
    }
}
