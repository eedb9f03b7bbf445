package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/// Large requests of one account, many at once, at a server with little memory.
class SmallHeapTest {
    private static final int AT_ONCE = 60;
    private static final int ITEMS = 100;

    @TempDir Path data;

    /// Bodies whose length is said, chunked ones, and streams of lines; then large answers.
    @Test
    @Timeout(240)
    void one_account_cannot_fill_the_memory_and_another_is_served_meanwhile() throws Exception {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var server =
                        ServerProcess.startOn(
                                database.options(),
                                data,
                                List.of("-Xmx192m", "-XX:+ExitOnOutOfMemoryError"));
                var client = HttpClient.newHttpClient()) {
            Api hog = server.api();
            String hogKey = hog.post("/v1/keys", "{\"name\":\"hog\"}").text("/apiKey");
            Api other =
                    hog.withKey(
                            hog.post("/v1/keys/register", "{\"name\":\"other\"}").text("/apiKey"));
            String item =
                    "{\"type\":\"large\",\"payload\":{\"text\":\"" + "x".repeat(60_000) + "\"}}";
            byte[] batch =
                    ("{\"tasks\":["
                                    + (item + ",").repeat(ITEMS - 1)
                                    + item
                                    + "]}"
                                    + " ".repeat(1_900_000))
                            .getBytes(StandardCharsets.UTF_8);
            byte[] lines = (item + "\n").repeat(ITEMS).getBytes(StandardCharsets.UTF_8);
            List<CompletableFuture<Integer>> attack = new ArrayList<>();
            for (int i = 0; i < AT_ONCE; i++) {
                var request =
                        HttpRequest.newBuilder(URI.create(server.address() + "/v1/tasks/batch"))
                                .header("Authorization", "Bearer " + hogKey);
                switch (i % 3) {
                    case 0 -> request.POST(BodyPublishers.ofByteArray(batch));
                    case 1 ->
                            request.POST(
                                    BodyPublishers.ofInputStream(
                                            () -> new ByteArrayInputStream(batch)));
                    default ->
                            request.header("Content-Type", "application/x-ndjson")
                                    .POST(BodyPublishers.ofByteArray(lines));
                }
                attack.add(status(client, request.build()));
            }
            var all = CompletableFuture.allOf(attack.toArray(CompletableFuture[]::new));
            do {
                assertThat(other.get("/v1/tasks").status()).isEqualTo(200);
            } while (!all.isDone());
            assertThat(attack)
                    .extracting(CompletableFuture::join)
                    .isSubsetOf(200, 429, 503)
                    .contains(200)
                    .containsAnyOf(429, 503);
            listAll(client, server, hogKey);
            assertThat(server.alive()).isTrue();
            assertThat(hog.get("/health").status()).isEqualTo(200);
            assertThat(hog.post("/v1/tasks", "{\"type\":\"small\",\"payload\":{}}").status())
                    .isEqualTo(201);
        }
    }

    private static void listAll(HttpClient client, ServerProcess server, String key) {
        List<CompletableFuture<Integer>> lists = new ArrayList<>();
        for (int i = 0; i < AT_ONCE; i++) {
            lists.add(
                    status(
                            client,
                            HttpRequest.newBuilder(
                                            URI.create(server.address() + "/v1/tasks?limit=100"))
                                    .header("Authorization", "Bearer " + key)
                                    .build()));
        }
        assertThat(lists)
                .extracting(CompletableFuture::join)
                .isSubsetOf(200, 429, 503)
                .contains(200);
    }

    private static CompletableFuture<Integer> status(HttpClient client, HttpRequest request) {
        return client.sendAsync(request, BodyHandlers.discarding())
                .thenApply(HttpResponse::statusCode);
    }
}
