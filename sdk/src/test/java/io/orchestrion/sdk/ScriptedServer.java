package io.orchestrion.sdk;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Function;

/// Speaks the wire by hand: each request is remembered, and answered as the test says.
final class ScriptedServer implements AutoCloseable {
    /// @param head the headers of the request
    record Asked(String method, String path, JsonNode body, Function<String, String> head) {}

    /// @param status 0 to hang up without an answer
    record Told(int status, String body, String retryAfter) {
        static Told of(int status, String body) {
            return new Told(status, body, "");
        }

        static Told nothing() {
            return of(0, "");
        }

        static Told problem(int status, String code) {
            return of(
                    status,
                    """
                    {"type":"urn:orchestrion:problem:%1$s","title":"T","status":%2$d,"detail":"A detail.",
                     "instance":"urn:orchestrion:request:r-1","code":"%1$s","retryable":%3$s}
                    """
                            .formatted(code, status, status >= 429));
        }

        Told after(long seconds) {
            return new Told(status, body, String.valueOf(seconds));
        }
    }

    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final Function<Asked, Told> script;
    final List<Asked> asked = new CopyOnWriteArrayList<>();

    ScriptedServer(Function<Asked, Told> script) {
        this.script = script;
        try {
            server =
                    HttpServer.create(
                            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::handle);
        server.setExecutor(threads);
        server.start();
    }

    OrchestrionClient client(String key) {
        return OrchestrionClient.of(
                URI.create("http://127.0.0.1:" + server.getAddress().getPort()), key);
    }

    List<String> paths() {
        return asked.stream().map(each -> each.method() + " " + each.path()).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String text = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        var request =
                new Asked(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().toString(),
                        Json.tree(text.isEmpty() ? "{}" : text),
                        exchange.getRequestHeaders()::getFirst);
        asked.add(request);
        Told told = script.apply(request);
        try (exchange) {
            if (told.status() > 0) {
                byte[] body = told.body().getBytes(StandardCharsets.UTF_8);
                if (!told.retryAfter().isEmpty()) {
                    exchange.getResponseHeaders().set("Retry-After", told.retryAfter());
                }
                exchange.sendResponseHeaders(told.status(), body.length);
                exchange.getResponseBody().write(body);
            }
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
