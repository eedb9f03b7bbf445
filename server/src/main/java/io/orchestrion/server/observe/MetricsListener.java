package io.orchestrion.server.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// `GET /metrics` without a key on an address of its own, for a scraper that the network lets in
/// and nobody else. Nothing else is served there.
public final class MetricsListener implements AutoCloseable {
    private static final int WAITING_MAX = 16;
    private static final int AT_ONCE = 2;

    private final HttpServer server;
    private final ExecutorService threads;

    private MetricsListener(HttpServer server, ExecutorService threads) {
        this.server = server;
        this.threads = threads;
    }

    /// @param port 0 for any free one
    public static MetricsListener start(String host, int port, Metrics metrics) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(host, port), WAITING_MAX);
        ExecutorService threads =
                Executors.newFixedThreadPool(
                        AT_ONCE, Thread.ofPlatform().daemon().name("metrics-", 0).factory());
        server.setExecutor(threads);
        server.createContext("/", exchange -> answer(exchange, metrics));
        server.start();
        return new MetricsListener(server, threads);
    }

    private static void answer(HttpExchange exchange, Metrics metrics) throws IOException {
        try (exchange) {
            boolean known = exchange.getRequestURI().getPath().equals("/metrics");
            boolean reads = exchange.getRequestMethod().equals("GET");
            if (!known || !reads) {
                exchange.sendResponseHeaders(known ? 405 : 404, -1);
                return;
            }
            String accept = exchange.getRequestHeaders().getFirst("Accept");
            byte[] body = metrics.scrape(accept).getBytes(StandardCharsets.UTF_8);
            exchange.getResponseHeaders().set("Content-Type", Metrics.contentType(accept));
            exchange.sendResponseHeaders(200, body.length);
            exchange.getResponseBody().write(body);
        } catch (RuntimeException e) {
            org.slf4j.LoggerFactory.getLogger(MetricsListener.class)
                    .warn("the metrics could not be read: {}", e.getMessage());
        }
    }

    public int port() {
        return server.getAddress().getPort();
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
