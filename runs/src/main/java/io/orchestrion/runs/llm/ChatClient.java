package io.orchestrion.runs.llm;

import io.orchestrion.kernel.egress.Call;
import io.orchestrion.kernel.egress.CallOutcome;
import io.orchestrion.kernel.egress.Egress;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/// Asks a model over the interface that most services have: `POST {url}/chat/completions`. The
/// answer is streamed, so that one that stalls is noticed, and read to its end.
final class ChatClient {
    private static final int OK = 200;

    private final Egress egress;
    private final LlmOptions options;

    /// @param egress that may call the address which the operator has set
    ChatClient(Egress egress, LlmOptions options) {
        this.egress = egress;
        this.options = options;
    }

    /// @throws InterruptedException when the thread was interrupted; the stream is closed then
    ChatReply ask(UUID account, ChatRequest request, LlmTimes times, @Nullable String traceparent)
            throws InterruptedException {
        Call call =
                Call.of("POST", options.url() + "/chat/completions")
                        .json(request.body(options))
                        .header("Accept", "text/event-stream")
                        .within(times.connect(), times.whole())
                        .quietAtMost(times.quiet())
                        .answerAtMost(options.answerBytes());
        if (options.key() != null) {
            call = call.header("Authorization", "Bearer " + options.key().secret());
        }
        if (traceparent != null) {
            call = call.header("traceparent", traceparent);
        }
        return switch (egress.call(account, call)) {
            case CallOutcome.Failed failed -> new ChatReply.Failed(ChatErrors.of(failed), null);
            case CallOutcome.Answered answered -> reply(answered, request);
        };
    }

    private static ChatReply reply(CallOutcome.Answered answered, ChatRequest request) {
        String body = new String(answered.body(), StandardCharsets.UTF_8);
        return answered.status() == OK
                ? ChatStream.read(body, request.name(), request.characters())
                : new ChatReply.Failed(ChatErrors.of(answered, ChatStream.json(body)), null);
    }
}
