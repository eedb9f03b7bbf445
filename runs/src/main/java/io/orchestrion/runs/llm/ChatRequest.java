package io.orchestrion.runs.llm;

import io.orchestrion.kernel.json.JsonWriter;

import java.util.List;

/// One request for an answer in JSON.
///
/// @param name of the kind of answer: letters and _
/// @param schema of the answer, as JSON text
record ChatRequest(List<Message> messages, String name, String schema) {
    ChatRequest {
        messages = List.copyOf(messages);
    }

    byte[] body(LlmOptions options) {
        return JsonWriter.object(
                out -> {
                    out.text("model", options.model())
                            .objects("messages", messages, ChatRequest::message)
                            .bool("stream", true)
                            .object("stream_options", each -> each.bool("include_usage", true));
                    if (options.answerTokens() != null) {
                        out.integer("max_completion_tokens", options.answerTokens());
                    }
                    form(out, options.form());
                });
    }

    private static void message(JsonWriter out, Message message) {
        out.text("role", message.role()).text("content", message.content());
    }

    private void form(JsonWriter out, AnswerForm form) {
        switch (form) {
            case JSON_SCHEMA ->
                    out.object(
                            "response_format",
                            format ->
                                    format.text("type", "json_schema")
                                            .object(
                                                    "json_schema",
                                                    each ->
                                                            each.text("name", name)
                                                                    .bool("strict", false)
                                                                    .raw("schema", schema)));
            case JSON_OBJECT ->
                    out.object("response_format", format -> format.text("type", "json_object"));
            case TOOL_CALL ->
                    out.array("tools", tools -> tools.item(this::tool))
                            .object(
                                    "tool_choice",
                                    choice ->
                                            choice.text("type", "function")
                                                    .object(
                                                            "function",
                                                            each -> each.text("name", name)));
        }
    }

    private void tool(JsonWriter out) {
        out.text("type", "function")
                .object(
                        "function",
                        each ->
                                each.text("name", name)
                                        .text("description", "Takes the answer.")
                                        .raw("parameters", schema));
    }

    long characters() {
        return schema.length()
                + messages.stream().mapToLong(message -> message.content().length()).sum();
    }
}
