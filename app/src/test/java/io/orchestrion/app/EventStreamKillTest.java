package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Sse;
import io.orchestrion.testkit.TestDatabase;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import tools.jackson.databind.JsonNode;

import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// Following events on one process while another makes them.
class EventStreamKillTest {
    private static final int TASKS = 60;
    private static final String STREAM = "/v1/events/stream";

    @TempDir Path oneData;
    @TempDir Path otherData;

    /// L-009, P7 across processes: the follower's server is killed while the other writes.
    @Test
    @Timeout(180)
    void a_stream_whose_server_is_killed_goes_on_at_another_without_loss_or_repeat()
            throws Exception {
        try (TestDatabase database = TestPostgres.get().newDatabase();
                var one = ServerProcess.startOn(database.options(), oneData);
                var other = ServerProcess.startOn(database.options(), otherData)) {
            Api api = other.api();
            String key = api.post("/v1/keys", "{\"name\":\"reader\"}").text("/apiKey");
            var seen = new ArrayList<Sse.Block>();
            try (Sse stream = open(one, key, Map.of())) {
                assertThat(stream.status()).isEqualTo(200);
                var writing = CompletableFuture.runAsync(() -> write(api));
                String last = followUntilKilled(one, stream, seen);
                assertThat(seen).isNotEmpty();
                try (Sse again = open(other, key, Map.of("Last-Event-ID", last))) {
                    while (seen.size() < 3 * TASKS) {
                        seen.add(again.nextEvent());
                    }
                }
                writing.get(60, TimeUnit.SECONDS);
            }
            List<JsonNode> all = new ArrayList<>();
            api.get("/v1/events?limit=1000").at("/events").forEach(all::add);
            assertThat(seen.stream().map(Sse.Block::json)).isEqualTo(all);
        }
    }

    private static Sse open(ServerProcess server, String key, Map<String, String> more) {
        var headers = new java.util.HashMap<>(more);
        headers.put("Authorization", "Bearer " + key);
        return Sse.open(URI.create(server.address()).getPort(), STREAM, headers);
    }

    private static String followUntilKilled(
            ServerProcess server, Sse stream, List<Sse.Block> seen) {
        String last = "";
        try {
            for (Sse.Block block = stream.nextEvent(); block != null; block = stream.nextEvent()) {
                seen.add(block);
                last = block.id();
                if (seen.size() == TASKS) {
                    server.kill();
                }
            }
        } catch (UncheckedIOException e) {
            // What was under way when it died is lost with it, and comes again.
            return last;
        }
        return last;
    }

    private static void write(Api api) {
        for (int i = 0; i < TASKS; i++) {
            String id = api.post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}").text("/task/id");
            api.post("/v1/tasks/" + id + "/claim");
            assertThat(api.post("/v1/tasks/" + id + "/complete").status()).isEqualTo(200);
        }
    }
}
