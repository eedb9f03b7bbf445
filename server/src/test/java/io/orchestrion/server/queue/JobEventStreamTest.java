package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Sse;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/// L-023: the log of a job as a stream, in the order and with the cursor of the list.
@Timeout(180)
class JobEventStreamTest extends QueueFixture {
    private final QueueApi.Worker worker = queue.worker("executor-01");

    private String running() {
        String id = queue.enqueue("t");
        assertThat(worker.claimed()).isEqualTo(id);
        return id;
    }

    private Sse open(String id, String query, String lastId) {
        var headers =
                new HashMap<>(
                        Map.of(
                                "Authorization",
                                "Bearer " + queue.key(),
                                "Accept",
                                "text/event-stream"));
        if (!lastId.isEmpty()) {
            headers.put("Last-Event-ID", lastId);
        }
        return Sse.open(server.port(), QueueApi.JOBS + "/" + id + "/events" + query, headers);
    }

    private static List<Sse.Block> all(Sse stream) {
        var blocks = new ArrayList<Sse.Block>();
        for (Sse.Block block = stream.nextEvent(); block != null; block = stream.nextEvent()) {
            blocks.add(block);
        }
        return blocks;
    }

    /// L-023: the frames of a stream are the events of the list.
    @Test
    void a_stream_has_the_events_of_the_list_in_their_order() {
        String id = running();
        for (int i = 0; i < 120; i++) {
            worker.say(id, "m" + i);
        }
        JsonNode listed = queue.events(id, "?limit=1000").at("/items");
        try (Sse stream = open(id, "?seconds=0", "")) {
            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type")).hasValue("text/event-stream");
            assertThat(stream.headers().firstValue("Cache-Control")).hasValue("no-store");
            List<Sse.Block> blocks = all(stream);
            assertThat(blocks).hasSize(listed.size());
            for (int i = 0; i < blocks.size(); i++) {
                assertThat(blocks.get(i).json()).isEqualTo(listed.get(i));
                assertThat(blocks.get(i).event()).isEqualTo(listed.get(i).get("level").asString());
            }
        }
    }

    /// L-023: an event arrives while the stream is open, whoever caused it.
    @Test
    void what_happens_meanwhile_arrives() {
        String id = running();
        try (Sse stream = open(id, "", "")) {
            assertThat(stream.nextEvent().json().get("event").asString()).isEqualTo("enqueued");
            assertThat(stream.nextEvent().json().get("event").asString()).isEqualTo("claimed");
            worker.say(id, "hello");
            assertThat(stream.nextEvent().json().get("message").asString()).isEqualTo("hello");
            worker.complete(id);
            assertThat(stream.nextEvent().json().get("event").asString()).isEqualTo("completed");
        }
    }

    /// L-023: the cursor of a stream is that of the list, both ways.
    @Test
    void a_stream_goes_on_where_a_stream_or_a_list_ended() {
        String id = running();
        worker.say(id, "one");
        String lastId;
        try (Sse stream = open(id, "?seconds=0", "")) {
            all(stream);
            lastId = stream.lastId();
        }
        worker.say(id, "two");
        try (Sse stream = open(id, "?seconds=0&after=2000-01-01T00:00:00Z", lastId)) {
            assertThat(all(stream))
                    .extracting(block -> block.json().get("message").asString())
                    .containsExactly("two");
        }
        Reply rest = queue.events(id, "?after=" + lastId);
        assertThat(rest.at("/items").findValuesAsString("message")).containsExactly("two");
        String time = rest.at("/items").get(0).get("createdAt").asString();
        worker.say(id, "three");
        for (String after : List.of(time, rest.text("/nextCursor"))) {
            try (Sse stream = open(id, "?seconds=0&after=" + after, "")) {
                assertThat(all(stream))
                        .extracting(block -> block.json().get("message").asString())
                        .containsExactly("three");
            }
        }
    }

    /// L-023: refused as the list is, in the list's form.
    @Test
    void a_stream_is_refused_as_a_problem() {
        String id = running();
        try (Sse unknown = open("01970000-0000-7000-8000-000000000000", "", "");
                Sse bad = open(id, "?after=x", "");
                Sse badId = open(id, "", "x")) {
            assertThat(unknown.status()).isEqualTo(404);
            assertThat(bad.status()).isEqualTo(400);
            assertThat(badId.status()).isEqualTo(400);
            assertThat(badId.headers().firstValue("Content-Type"))
                    .hasValue("application/problem+json");
        }
    }
}
