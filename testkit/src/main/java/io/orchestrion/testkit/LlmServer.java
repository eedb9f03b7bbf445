package io.orchestrion.testkit;

import io.orchestrion.testkit.HookReceiver.Manner;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A service with a large language model that answers by a script: each request takes the next
/// answer. It streams as the real ones do, and breaks as they do.
///
/// ```java
/// var llm = new LlmServer()
///         .refusing(429, "{}", "Retry-After: 2")
///         .streaming("{\"agents\":", "[…]}");
/// ```
public final class LlmServer implements AutoCloseable {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final String PATH = "/v1/chat/completions";

    private static final int PROMPT_TOKENS = 120;
    private static final int CACHED_TOKENS = 100;
    private static final int COMPLETION_TOKENS = 30;

    private final HookReceiver receiver = new HookReceiver();
    private final Queue<Manner> script = new ConcurrentLinkedQueue<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch left = new CountDownLatch(1);

    public LlmServer() {
        receiver.on(
                PATH,
                (got, out) -> {
                    Manner next = script.poll();
                    if (next == null) {
                        HookReceiver.say(out, 500, "{\"error\":{\"code\":\"script_is_over\"}}");
                    } else {
                        next.answer(got, out);
                    }
                });
    }

    /// What a client is told as the address.
    public String url() {
        return receiver.url("/v1");
    }

    public LlmServer then(Manner manner) {
        script.add(manner);
        return this;
    }

    /// A whole answer in these pieces, with what it used: 150 tokens, of which 120 were the prompt.
    public LlmServer streaming(String... pieces) {
        return then(
                (_, out) -> {
                    begin(out);
                    for (String piece : pieces) {
                        chunk(out, event(delta("content", piece)));
                    }
                    chunk(out, event(finish("stop")));
                    chunk(out, event(usage()));
                    chunk(out, "data: [DONE]\n\n");
                    chunk(out, "");
                });
    }

    /// The same as the arguments of a tool, which are a text in pieces.
    public LlmServer calling(String tool, String... pieces) {
        return then(
                (_, out) -> {
                    begin(out);
                    chunk(out, event(tool(tool, "")));
                    for (String piece : pieces) {
                        chunk(out, event(tool(null, piece)));
                    }
                    chunk(out, event(finish("tool_calls")));
                    chunk(out, event(usage()));
                    chunk(out, "data: [DONE]\n\n");
                    chunk(out, "");
                });
    }

    /// An answer that ends for another reason than that it is whole.
    public LlmServer ending(String reason, String... pieces) {
        return then(
                (_, out) -> {
                    begin(out);
                    for (String piece : pieces) {
                        chunk(out, event(delta("content", piece)));
                    }
                    chunk(out, event(finish(reason)));
                    chunk(out, "data: [DONE]\n\n");
                    chunk(out, "");
                });
    }

    /// A connection that breaks after these pieces.
    public LlmServer cutAfter(String... pieces) {
        return then(
                (_, out) -> {
                    begin(out);
                    for (String piece : pieces) {
                        chunk(out, event(delta("content", piece)));
                    }
                    throw new IOException("cut");
                });
    }

    /// Nothing more after these pieces, until this is closed.
    public LlmServer stallingAfter(String... pieces) {
        return then(
                (_, out) -> {
                    begin(out);
                    for (String piece : pieces) {
                        chunk(out, event(delta("content", piece)));
                    }
                    closed.await();
                });
    }

    /// Only comments after these pieces, until the client goes away, which [#awaitLeft] waits for.
    public LlmServer neverEndingAfter(String... pieces) {
        return then(
                (_, out) -> {
                    // It may go away before the first word, too.
                    try {
                        begin(out);
                        for (String piece : pieces) {
                            chunk(out, event(delta("content", piece)));
                        }
                        while (!closed.await(5, TimeUnit.MILLISECONDS)) {
                            chunk(out, ": still there\n\n");
                        }
                    } catch (IOException e) {
                        left.countDown();
                        throw e;
                    }
                });
    }

    /// Waits until a client has gone away from an answer without end.
    public boolean awaitLeft(Duration atMost) throws InterruptedException {
        return left.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    /// Events as they are given.
    public LlmServer events(String... events) {
        return then(
                (_, out) -> {
                    begin(out);
                    for (String event : events) {
                        chunk(out, "data: " + event + "\n\n");
                    }
                    chunk(out, "");
                });
    }

    /// An answer in one piece, as services give it that do not stream.
    public LlmServer whole(String content) {
        ObjectNode answer = JSON.createObjectNode();
        ObjectNode choice = answer.putArray("choices").addObject();
        choice.put("finish_reason", "stop").putObject("message").put("content", content);
        answer.set("usage", usage().get("usage"));
        return refusing(200, answer.toString(), "Content-Type: application/json");
    }

    /// Any other answer.
    public LlmServer refusing(int status, String body, String... headers) {
        return then((_, out) -> HookReceiver.say(out, status, body, headers));
    }

    /// The bodies of all requests so far.
    public List<JsonNode> asked() {
        return receiver.got(PATH).stream().map(HookReceiver.Got::json).toList();
    }

    /// All requests so far.
    public List<HookReceiver.Got> got() {
        return receiver.got(PATH);
    }

    public void await(int count) {
        receiver.await(PATH, count);
    }

    private static void begin(OutputStream out) throws IOException {
        out.write(
                ("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                                + "Transfer-Encoding: chunked\r\n\r\n")
                        .getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    /// An empty one is the last.
    private static void chunk(OutputStream out, String text) throws IOException {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        out.write((Integer.toHexString(bytes.length) + "\r\n").getBytes(StandardCharsets.US_ASCII));
        out.write(bytes);
        out.write("\r\n".getBytes(StandardCharsets.US_ASCII));
        out.flush();
    }

    private static String event(JsonNode json) {
        return "data: " + json + "\n\n";
    }

    private static ObjectNode delta(String field, String text) {
        ObjectNode event = JSON.createObjectNode();
        ObjectNode choice = event.putArray("choices").addObject().put("index", 0);
        choice.putObject("delta").put(field, text);
        choice.putNull("finish_reason");
        event.putNull("usage");
        return event;
    }

    private static ObjectNode tool(@Nullable String name, String piece) {
        ObjectNode event = JSON.createObjectNode();
        ObjectNode choice = event.putArray("choices").addObject().put("index", 0);
        ObjectNode delta = choice.putObject("delta");
        delta.putNull("content");
        ObjectNode call = delta.putArray("tool_calls").addObject().put("index", 0);
        ObjectNode function = call.putObject("function").put("arguments", piece);
        if (name != null) {
            call.put("id", "call_1").put("type", "function");
            function.put("name", name);
        }
        return event;
    }

    private static ObjectNode finish(String reason) {
        ObjectNode event = JSON.createObjectNode();
        ObjectNode choice = event.putArray("choices").addObject().put("index", 0);
        choice.putObject("delta");
        choice.put("finish_reason", reason);
        return event;
    }

    private static ObjectNode usage() {
        ObjectNode event = JSON.createObjectNode();
        event.putArray("choices");
        ObjectNode usage = event.putObject("usage");
        usage.put("prompt_tokens", PROMPT_TOKENS)
                .put("completion_tokens", COMPLETION_TOKENS)
                .put("total_tokens", PROMPT_TOKENS + COMPLETION_TOKENS);
        usage.putObject("prompt_tokens_details").put("cached_tokens", CACHED_TOKENS);
        return event;
    }

    @Override
    public void close() {
        closed.countDown();
        receiver.close();
    }
}
