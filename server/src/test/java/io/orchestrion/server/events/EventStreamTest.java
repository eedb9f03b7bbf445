package io.orchestrion.server.events;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Sse;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// L-009: the same log, followed as it grows.
@Timeout(180)
class EventStreamTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    private Sse open(String query) {
        return open(query, "");
    }

    private Sse open(String query, String lastId) {
        return open(server.port(), query, lastId);
    }

    private Sse open(int port, String query, String lastId) {
        var headers = new HashMap<>(Map.of("Authorization", "Bearer " + tasks.key()));
        if (!lastId.isEmpty()) {
            headers.put("Last-Event-ID", lastId);
        }
        return Sse.open(port, "/v1/events/stream?" + query, headers);
    }

    private List<String> listed() {
        var ids = new ArrayList<String>();
        tasks.api()
                .get("/v1/events?limit=1000")
                .at("/events")
                .forEach(event -> ids.add(event.get("id").asString()));
        return ids;
    }

    private static List<String> ids(Sse stream) {
        var ids = new ArrayList<String>();
        for (Sse.Block block = stream.nextEvent(); block != null; block = stream.nextEvent()) {
            ids.add(block.id());
        }
        return ids;
    }

    /// L-009, L-023: the frames of a stream are the events of the list.
    @Test
    void a_stream_begins_with_what_is_there_and_goes_on_with_what_comes() {
        String first = tasks.create("live");
        try (Sse stream = open("")) {
            assertThat(stream.status()).isEqualTo(200);
            assertThat(stream.headers().firstValue("Content-Type")).contains("text/event-stream");
            assertThat(stream.headers().firstValue("Cache-Control")).contains("no-store");
            Sse.Block head = stream.next();
            assertThat(head.retry()).isEqualTo("2000");
            assertThat(head.id()).isNotEmpty();
            Sse.Block created = stream.nextEvent();
            assertThat(created.event()).isEqualTo("created");
            JsonNode data = created.json();
            assertThat(data.get("taskId").asString()).isEqualTo(first);
            assertThat(data.get("id").asString()).isEqualTo(created.id());
            tasks.claim("live");
            assertThat(stream.nextEvent().event()).isEqualTo("claimed");
            tasks.verb(first, "complete");
            assertThat(stream.nextEvent().event()).isEqualTo("completed");
        }
        try (Sse whole = open("seconds=0")) {
            assertThat(ids(whole)).isEqualTo(listed());
        }
        assertThat(tasks.api().get("/v1/events").at("/events/0"))
                .isEqualTo(firstData(open("seconds=0")));
    }

    private static JsonNode firstData(Sse stream) {
        try (stream) {
            return stream.nextEvent().json();
        }
    }

    /// L-009: resumes after a given event id, at whichever end it broke.
    @Test
    void a_stream_resumes_after_the_last_id_without_loss_or_repeat() {
        for (int i = 0; i < 5; i++) {
            tasks.create("resumed");
        }
        List<String> all = listed();
        for (int i = 0; i < 5; i++) {
            try (Sse stream = open("seconds=0", all.get(i))) {
                assertThat(ids(stream)).isEqualTo(all.subList(i + 1, 5));
            }
            try (Sse stream = open("seconds=0&after=" + all.get(i))) {
                assertThat(ids(stream)).isEqualTo(all.subList(i + 1, 5));
            }
        }
        // The header is newer than the address that the client keeps.
        try (Sse stream = open("seconds=0&after=" + all.get(0), all.get(3))) {
            assertThat(ids(stream)).isEqualTo(all.subList(4, 5));
        }
        try (Sse refused = open("", "nonsense")) {
            assertThat(refused.status()).isEqualTo(400);
        }
    }

    /// A stream from now that breaks before its first event is resumed from that now.
    @Test
    void the_place_is_known_before_the_first_event() {
        tasks.create("before");
        String place;
        try (Sse stream = open("after=now")) {
            place = stream.next().id();
        }
        tasks.create("between");
        try (Sse again = open("seconds=0", place)) {
            assertThat(again.nextEvent().json().get("type").asString()).isEqualTo("between");
            assertThat(again.nextEvent()).isNull();
        }
    }

    @Test
    void a_stream_can_be_of_one_type_one_event_or_one_task() {
        String id = tasks.create("one");
        tasks.create("two");
        tasks.claim("one");
        for (var each :
                Map.of("type=one", 2, "event=claimed", 1, "taskId=" + id, 2, "type=none", 0)
                        .entrySet()) {
            try (Sse stream = open("seconds=0&" + each.getKey())) {
                assertThat(ids(stream)).as(each.getKey()).hasSize(each.getValue());
                // What was passed over is not gone through again after a resume.
                assertThat(stream.lastId()).isNotEmpty();
            }
        }
    }

    /// P7: writers of all kinds at once, a reader that comes back again and again.
    @Test
    void a_reader_that_reconnects_all_the_time_sees_every_event_once_and_in_order()
            throws Exception {
        int writers = 6;
        int each = 10;
        var done = new CompletableFuture<Void>();
        var reading =
                CompletableFuture.supplyAsync(
                        () -> {
                            var seen = new ArrayList<Sse.Block>();
                            String last = "";
                            int taken;
                            do {
                                boolean finished = done.isDone();
                                taken = finished ? 0 : 1;
                                try (Sse stream =
                                        open(finished ? "seconds=0" : "seconds=1", last)) {
                                    int most = finished ? Integer.MAX_VALUE : 3;
                                    for (int i = 0; i < most; i++) {
                                        Sse.Block block = stream.nextEvent();
                                        if (block == null) {
                                            break;
                                        }
                                        seen.add(block);
                                        last = block.id();
                                    }
                                }
                            } while (taken > 0);
                            return seen;
                        });
        Parallel.run(
                writers,
                writer ->
                        () -> {
                            for (int i = 0; i < each; i++) {
                                String type = "w" + writer;
                                String id = tasks.create(type);
                                tasks.claim(type);
                                tasks.verb(id, "complete");
                            }
                            return null;
                        });
        done.complete(null);
        List<Sse.Block> seen = reading.get(90, TimeUnit.SECONDS);
        assertThat(seen.stream().map(Sse.Block::id)).isEqualTo(listed());
        assertThat(seen).hasSize(writers * each * 3);
        var stories = new HashMap<String, List<String>>();
        for (Sse.Block block : seen) {
            stories.computeIfAbsent(block.json().get("taskId").asString(), _ -> new ArrayList<>())
                    .add(block.event());
        }
        assertThat(stories.values())
                .allMatch(story -> story.equals(List.of("created", "claimed", "completed")));
    }

    /// L-009: a node that stops ends its streams whole, and the client goes on at another.
    @Test
    void a_stopping_server_ends_its_streams_and_another_goes_on_from_there() {
        try (OrchestrionServer other =
                OrchestrionServer.start(
                        server.kernel().anotherNode(options -> options), TestServer.options())) {
            tasks.create("first");
            try (Sse stream = open(other.port(), "", "")) {
                assertThat(stream.nextEvent().event()).isEqualTo("created");
                long before = System.nanoTime();
                other.drain(Duration.ofSeconds(60));
                assertThat(Duration.ofNanos(System.nanoTime() - before))
                        .isLessThan(Duration.ofSeconds(30));
                assertThat(stream.nextEvent()).isNull();
                tasks.create("second");
                try (Sse again = open("seconds=0", stream.lastId())) {
                    assertThat(again.nextEvent().json().get("type").asString()).isEqualTo("second");
                    assertThat(again.nextEvent()).isNull();
                }
            }
        }
    }

    /// L-009: a poll that waits is let go, too.
    @Test
    void a_stopping_server_answers_those_who_wait() throws Exception {
        try (OrchestrionServer other =
                OrchestrionServer.start(
                        server.kernel().anotherNode(options -> options), TestServer.options())) {
            var api = Api.on(other.port(), new CatalogueCheck()).withKey(tasks.key());
            var waiting =
                    CompletableFuture.supplyAsync(
                            () -> api.get("/v1/events?waitSeconds=30&after=now"));
            Until.isTrue(
                    "it waits",
                    Duration.ofSeconds(20),
                    () -> other.kernel().events().following() == 1);
            other.drain(Duration.ofSeconds(60));
            assertThat(waiting.get(20, TimeUnit.SECONDS).at("/events").size()).isZero();
        }
    }

    /// A quiet stream shows that it lives, and does not outlive its key.
    @Test
    void a_quiet_stream_has_heartbeats_until_its_key_is_revoked() {
        var made = tasks.api().post("/v1/keys", "{\"name\":\"short-lived\"}");
        try (Sse kept = open("after=now");
                Sse cut =
                        Sse.open(
                                server.port(),
                                "/v1/events/stream?after=now",
                                Map.of("Authorization", "Bearer " + made.text("/apiKey")))) {
            assertThat(cut.next().retry()).isNotEmpty();
            assertThat(kept.next().retry()).isNotEmpty();
            tasks.api().send("DELETE", "/v1/keys/" + made.text("/key/id"), null);
            assertThat(cut.next()).isNull();
            Sse.Block beat = kept.next();
            assertThat(beat.comment()).isEqualTo("heartbeat");
            assertThat(beat.id()).isNotEmpty();
            assertThat(beat.data()).isEmpty();
        }
    }

    /// Without a place for it the caller is told to come back.
    @Test
    void streams_beyond_the_bound_are_refused() {
        try (var small =
                new TestServer(
                        options -> options,
                        options -> options.withHttp(options.http().withStreams(1, 1)))) {
            String key = small.account().key();
            var headers = Map.of("Authorization", "Bearer " + key);
            try (Sse first = Sse.open(small.port(), "/v1/events/stream", headers)) {
                assertThat(first.next().retry()).isNotEmpty();
                try (Sse second = Sse.open(small.port(), "/v1/events/stream", headers)) {
                    assertThat(second.status()).isEqualTo(503);
                    assertThat(second.headers().firstValue("Retry-After")).contains("1");
                }
            }
        }
    }
}
