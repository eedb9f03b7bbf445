package io.orchestrion.app.client;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// Stands between a client and a server and does what networks do, in the order it is told.
final class FaultyProxy implements AutoCloseable {
    /// What to do with the next request; with none told it passes.
    enum Fault {
        PASS,
        /// The server does it, and nobody hears of it.
        LOSE_ANSWER,
        /// It never reaches the server.
        LOSE_REQUEST,
        OVERLOADED,
        NOT_OURS
    }

    record Seen(String method, String path, String idempotencyKey) {}

    private static final String OVERLOADED =
            """
            {"error":"overloaded","message":"Too much is under way.","request_id":"r-1",
             "agent_contract":{"version":"1","retryable":true,"next_actions":[
               {"action":"retry_after_wait","available":true,"recommended":true,
                "method":"POST","endpoint":"/v1/tasks","retry_after_seconds":1}]}}
            """;

    private final URI to;
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Queue<Fault> faults = new ConcurrentLinkedQueue<>();
    private volatile Fault always = Fault.PASS;
    final List<Seen> seen = new CopyOnWriteArrayList<>();

    FaultyProxy(URI to) {
        this.to = to;
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

    URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    FaultyProxy next(Fault... each) {
        faults.addAll(List.of(each));
        return this;
    }

    /// For every request that nothing else is told for.
    void always(Fault fault) {
        always = fault;
    }

    List<String> paths() {
        return seen.stream().map(Seen::path).toList();
    }

    private void handle(HttpExchange exchange) throws IOException {
        String key = exchange.getRequestHeaders().getFirst("Idempotency-Key");
        seen.add(
                new Seen(
                        exchange.getRequestMethod(),
                        exchange.getRequestURI().getPath(),
                        String.valueOf(key)));
        byte[] body = exchange.getRequestBody().readAllBytes();
        Fault told = faults.poll();
        switch (told == null ? always : told) {
            case PASS -> pass(exchange, body, true);
            case LOSE_ANSWER -> pass(exchange, body, false);
            case LOSE_REQUEST -> exchange.close();
            case OVERLOADED -> answer(exchange, 503, OVERLOADED.getBytes(StandardCharsets.UTF_8));
            case NOT_OURS -> answer(exchange, 200, "<html>hello".getBytes(StandardCharsets.UTF_8));
        }
    }

    private void pass(HttpExchange exchange, byte[] body, boolean answer) throws IOException {
        var request =
                HttpRequest.newBuilder(to.resolve(exchange.getRequestURI()))
                        .method(exchange.getRequestMethod(), BodyPublishers.ofByteArray(body));
        for (String name : List.of("Authorization", "Content-Type", "Idempotency-Key")) {
            String value = exchange.getRequestHeaders().getFirst(name);
            if (value != null) {
                request.header(name, value);
            }
        }
        try {
            var response = http.send(request.build(), BodyHandlers.ofByteArray());
            if (answer) {
                answer(exchange, response.statusCode(), response.body());
            } else {
                exchange.close();
            }
        } catch (InterruptedException e) {
            exchange.close();
        }
    }

    private static void answer(HttpExchange exchange, int status, byte[] body) throws IOException {
        exchange.sendResponseHeaders(status, body.length);
        try (exchange) {
            exchange.getResponseBody().write(body);
        }
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
        http.shutdownNow();
    }
}
