package io.orchestrion.bench.load;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/// An account that sends the same dear request on several connections, without a pause, until it is
/// closed.
public final class Abuse implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final Map<Integer, LongAdder> statuses = new ConcurrentHashMap<>();
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean over;

    /// Puts something there once.
    public static void put(int port, String key, String path, String body)
            throws IOException, InterruptedException {
        try (var client = HttpClient.newHttpClient()) {
            var answer =
                    client.send(
                            request(port, key, path).PUT(BodyPublishers.ofString(body)).build(),
                            BodyHandlers.ofString());
            if (answer.statusCode() / 100 != 2) {
                throw new IOException("PUT " + path + ": " + answer.body());
            }
        }
    }

    private static HttpRequest.Builder request(int port, String key, String path) {
        return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                .timeout(PATIENCE)
                .header("Authorization", "Bearer " + key)
                .header("Content-Type", "application/json");
    }

    /// Begins.
    ///
    /// @param body posted to the path, again and again on each connection
    public Abuse(int port, String key, String path, String body, int connections) {
        byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
        HttpRequest post = request(port, key, path).POST(BodyPublishers.ofByteArray(bytes)).build();
        for (int i = 0; i < connections; i++) {
            threads.add(Thread.ofVirtual().start(() -> send(post)));
        }
    }

    private void send(HttpRequest post) {
        while (!over) {
            try {
                note(client.send(post, BodyHandlers.discarding()).statusCode());
            } catch (IOException e) {
                note(0);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return;
            }
        }
    }

    private void note(int status) {
        statuses.computeIfAbsent(status, _ -> new LongAdder()).increment();
    }

    public long of(int status) {
        LongAdder count = statuses.get(status);
        return count == null ? 0 : count.sum();
    }

    public long all() {
        return statuses.values().stream().mapToLong(LongAdder::sum).sum();
    }

    @Override
    public void close() {
        over = true;
        threads.forEach(Thread::interrupt);
        client.shutdownNow();
        client.close();
    }
}
