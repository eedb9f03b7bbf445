package io.orchestrion.server.http;

import io.helidon.http.DirectHandler;
import io.helidon.http.HeaderNames;
import io.helidon.http.HeaderValues;
import io.helidon.http.ServerResponseHeaders;
import io.helidon.http.Status;
import io.helidon.webserver.http.DirectHandlers;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// Words what Helidon refuses before there is a request: broken HTTP, a line or header too long,
/// another version. The door's format is kept, and Helidon's own messages, some of which quote the
/// request, are not passed on.
final class ProtocolAnswers implements DirectHandler {
    private static final Logger LOG = LoggerFactory.getLogger(ProtocolAnswers.class);

    private final Pipeline pipeline;

    private ProtocolAnswers(Pipeline pipeline) {
        this.pipeline = pipeline;
    }

    static DirectHandlers of(Pipeline pipeline) {
        var answers = new ProtocolAnswers(pipeline);
        var handlers = DirectHandlers.builder();
        for (EventType type : EventType.values()) {
            handlers.addHandler(type, answers);
        }
        return handlers.build();
    }

    @Override
    public TransportResponse handle(
            TransportRequest request,
            EventType type,
            Status status,
            ServerResponseHeaders headers,
            @Nullable String message) {
        Call call = pipeline.callOf(request.method(), request.path(), request.headers());
        int code = code(type, status, message);
        Answer answer = pipeline.unreadable(call, code, sentence(code, message));
        LOG.debug("Unreadable request -> {}, request {}", code, call.requestId());
        ServerResponseHeaders own = ServerResponseHeaders.create();
        own.set(Pipeline.REQUEST_ID, call.requestId());
        own.set(HeaderNames.CONTENT_TYPE, answer.contentType());
        own.set(HeaderValues.CONNECTION_CLOSE);
        answer.headers().forEach((name, value) -> own.set(HeaderNames.create(name), value));
        return TransportResponse.builder()
                .status(Status.create(answer.status()))
                .headers(own)
                .entity(answer.body())
                .keepAlive(false)
                .build();
    }

    /// Nothing of ours runs outside the pipeline, so even what Helidon calls an internal error
    /// there was brought on by the bytes of the client, such as a connection cut in the middle of a
    /// header.
    private static int code(EventType type, Status status, @Nullable String message) {
        if (message != null && message.startsWith("Header size exceeded")) {
            return 431;
        }
        if (type == EventType.INTERNAL_ERROR || status.code() == 500) {
            return 400;
        }
        return status.code();
    }

    private static String sentence(int code, @Nullable String message) {
        return switch (code) {
            case 413 -> "The body is too large.";
            case 414 -> "The request line is too long.";
            case 431 -> "The request headers are too large.";
            case 501 -> "The only transfer encoding taken is chunked.";
            case 505 -> "The request must be HTTP/1.1.";
            default -> {
                if (message == null) {
                    yield "The request is not well-formed HTTP/1.1.";
                }
                if (message.equals(Connections.LOWER_CASE_METHOD)) {
                    yield "The method must be in capital letters.";
                }
                if (message.contains("Content-Encoding")) {
                    yield "The body must not have a content encoding.";
                }
                if (message.contains("Host")) {
                    yield "The request must have one valid Host header.";
                }
                if (message.contains("Content-Length") || message.contains("ontent length")) {
                    yield "The length of the body is ambiguous or malformed.";
                }
                yield "The request is not well-formed HTTP/1.1.";
            }
        };
    }
}
