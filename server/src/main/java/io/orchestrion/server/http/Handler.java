package io.orchestrion.server.http;

/// Answers the calls of one endpoint. It may block: each call has a virtual thread of its own.
@FunctionalInterface
public interface Handler {
    Answer handle(Call call) throws Exception;
}
