package io.orchestrion.runs.llm;

import io.orchestrion.kernel.work.WorkError;
import io.orchestrion.runs.policy.Failures;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import java.util.TreeMap;

/// Puts the pieces of a streamed answer together. An answer that was not streamed is one piece.
final class ChatStream {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String DONE = "[DONE]";

    private static final class Tool {
        private String name = "";
        private final StringBuilder arguments = new StringBuilder();
    }

    /// The tool that takes the answer.
    private final String wanted;

    private final StringBuilder text = new StringBuilder();
    private final TreeMap<Integer, Tool> tools = new TreeMap<>();
    private boolean refused;
    private boolean done;
    private String finish = "";
    private @Nullable TokenUsage usage;
    private @Nullable WorkError error;

    private ChatStream(String wanted) {
        this.wanted = wanted;
    }

    /// @param body of an answer of status 200
    /// @param wanted name of the tool that takes the answer
    static ChatReply read(String body, String wanted, long promptCharacters) {
        var stream = new ChatStream(wanted);
        if (body.stripLeading().startsWith("{")) {
            stream.whole(body);
        } else {
            for (String event : EventLines.of(body)) {
                stream.event(event);
            }
        }
        return stream.reply(promptCharacters);
    }

    private void whole(String body) {
        JsonNode answer = json(body);
        if (answer == null) {
            broken();
            return;
        }
        take(answer, "message");
        done = true;
    }

    private void event(String data) {
        if (data.equals(DONE)) {
            done = true;
            return;
        }
        JsonNode event = json(data);
        if (event != null) {
            take(event, "delta");
        } else if (error == null) {
            broken();
        }
    }

    static @Nullable JsonNode json(String text) {
        try {
            JsonNode read = JSON.readTree(text);
            return read.isObject() ? read : null;
        } catch (JacksonException e) {
            return null;
        }
    }

    private void broken() {
        error =
                ChatErrors.error(
                        Failures.LLM_SERVICE,
                        null,
                        "The model's service sent something that is no JSON object.",
                        null);
    }

    private void take(JsonNode event, String field) {
        if (event.has("error") && !event.get("error").isNull()) {
            error = ChatErrors.inStream(event);
            return;
        }
        JsonNode used = event.path("usage");
        if (used.isObject()) {
            usage =
                    new TokenUsage(
                            used.path("prompt_tokens").asLong(0),
                            used.path("prompt_tokens_details").path("cached_tokens").asLong(0),
                            used.path("completion_tokens").asLong(0),
                            false);
        }
        JsonNode choice = event.path("choices").path(0);
        JsonNode piece = choice.path(field);
        text.append(piece.path("content").asString(""));
        refused |= !piece.path("refusal").asString("").isEmpty();
        JsonNode calls = piece.path("tool_calls");
        for (int i = 0; i < calls.size(); i++) {
            call(calls.get(i), i);
        }
        // How it was before there were several at once.
        if (piece.path("function_call").isObject()) {
            function(tools.computeIfAbsent(0, _ -> new Tool()), piece.get("function_call"));
        }
        String reason = choice.path("finish_reason").asString("");
        if (!reason.isEmpty()) {
            finish = reason;
        }
    }

    private void call(JsonNode call, int place) {
        int index = call.path("index").asInt(place);
        function(tools.computeIfAbsent(index, _ -> new Tool()), call.path("function"));
    }

    private static void function(Tool tool, JsonNode piece) {
        tool.name += piece.path("name").asString("");
        JsonNode arguments = piece.path("arguments");
        // A few services send an object in place of a text.
        tool.arguments.append(arguments.isObject() ? arguments.toString() : arguments.asString(""));
    }

    private ChatReply reply(long promptCharacters) {
        String answer = answer();
        TokenUsage used = usage;
        if (used == null && (!answer.isEmpty() || refused)) {
            used = TokenUsage.estimated(promptCharacters, answer.length());
        }
        WorkError fault = error != null ? error : fault(answer);
        return fault == null && used != null
                ? new ChatReply.Answered(answer, used)
                : new ChatReply.Failed(
                        fault == null ? ChatErrors.invalidOutput("The answer is empty.") : fault,
                        used);
    }

    /// The tool that was asked for, else any, else the text.
    private String answer() {
        return tools.values().stream()
                .filter(tool -> tool.name.equals(wanted))
                .findFirst()
                .or(() -> tools.values().stream().findFirst())
                .map(tool -> tool.arguments.toString())
                .filter(arguments -> !arguments.isBlank())
                .orElseGet(text::toString);
    }

    private @Nullable WorkError fault(String answer) {
        return switch (finish) {
            case "length" ->
                    ChatErrors.error(
                            Failures.CONTEXT_WINDOW,
                            null,
                            "The model reached its bound of tokens before the answer was whole.",
                            null);
            case "content_filter" ->
                    ChatErrors.error(
                            "ContentFilteredError",
                            null,
                            "The model's service withheld the answer.",
                            null);
            case "" ->
                    done
                            ? empty(answer)
                            : ChatErrors.error(
                                    Failures.CONNECTION,
                                    null,
                                    "The stream of the model's service broke off.",
                                    null);
            default ->
                    refused
                            ? ChatErrors.invalidOutput("The model refused to answer.")
                            : empty(answer);
        };
    }

    private static @Nullable WorkError empty(String answer) {
        return answer.isBlank() ? ChatErrors.invalidOutput("The answer is empty.") : null;
    }
}
