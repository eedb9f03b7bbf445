package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/// The log of a job: what its worker appends, what happens to it, and reading both.
class JobEventTest extends QueueFixture {
    private final QueueApi.Worker worker = queue.worker("executor-01");

    private String running() {
        String id = queue.enqueue("t");
        assertThat(worker.claimed()).isEqualTo(id);
        return id;
    }

    private List<String> messages(String id, String query) {
        return queue.events(id, query).at("/items").findValuesAsString("message");
    }

    private Reply append(String id, String fields) {
        return worker.verb(id, "events", fields);
    }

    /// the seed's example, there and back.
    @Test
    void an_appended_event_is_answered_and_listed_as_it_was_stored() {
        String id = running();
        Reply added =
                worker.api()
                        .post(
                                QueueApi.JOBS + "/" + id + "/events",
                                """
                                {
                                  "workerId": "executor-01",
                                  "level": "info",
                                  "message": "Starting codex execution",
                                  "payload": {"phase": "execute"}
                                }
                                """);
        assertThat(added.status()).isEqualTo(201);
        assertThat(added.text("/jobId")).isEqualTo(id);
        assertThat(added.text("/level")).isEqualTo("info");
        assertThat(added.text("/message")).isEqualTo("Starting codex execution");
        assertThat(added.text("/payload/phase")).isEqualTo("execute");
        assertThat(added.text("/createdAt"))
                .matches("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z");
        assertThat(added.text("/id")).isNotEmpty();
        JsonNode listed = last(queue.events(id, ""));
        assertThat(listed).isEqualTo(added.body());
    }

    private static JsonNode last(Reply list) {
        JsonNode items = list.at("/items");
        return items.get(items.size() - 1);
    }

    ///
    @Test
    void there_are_four_levels() {
        String id = running();
        for (String level : List.of("debug", "info", "warn", "error")) {
            Reply added = append(id, "\"level\":\"%s\",\"message\":\"m\"".formatted(level));
            assertThat(added.status()).isEqualTo(201);
            assertThat(added.text("/level")).isEqualTo(level);
            assertThat(added.at("/payload").isNull()).isTrue();
        }
    }

    /// Q-064..Q-067.
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    "message":"m"                                | level
                    "level":"fatal","message":"m"                | level
                    "level":"INFO","message":"m"                 | level
                    "level":1,"message":"m"                      | level
                    "level":"info"                               | message
                    "level":"info","message":""                  | message
                    "level":"info","message":7                   | message
                    "level":"info","message":"m","payload":[]    | payload
                    "level":"info","message":"m","payload":"x"   | payload
                    "level":"info","message":"m","payload":1     | payload
                    "level":"info","message":"m","createdAt":"2030-01-01T00:00:00Z" | createdAt
                    """)
    void a_bad_event_is_refused_and_not_stored(String fields, String field) {
        String id = running();
        int before = queue.events(id, "").at("/items").size();
        Reply reply = append(id, fields);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
        assertThat(queue.events(id, "").at("/items")).hasSize(before);
    }

    /// the bounds to the character and the byte.
    @Test
    void a_message_has_4000_characters_and_a_payload_64_kilobytes_at_the_most() {
        String id = running();
        String fits = "\"level\":\"info\",\"message\":\"" + "😀".repeat(4000) + "\"";
        assertThat(append(id, fits).status()).isEqualTo(201);
        Reply long1 = append(id, fits.replace("😀\"", "😀x\""));
        assertThat(long1.status()).isEqualTo(400);
        assertThat(long1.text("/errors/0/bound")).isEqualTo("1..4000");
        String payload = "{\"a\":\"" + "x".repeat(64 * 1024 - 8) + "\"}";
        String small = "\"level\":\"info\",\"message\":\"m\",\"payload\":";
        assertThat(append(id, small + payload).status()).isEqualTo(201);
        Reply long2 = append(id, small + payload.replace("\"}", "x\"}"));
        assertThat(long2.status()).isEqualTo(400);
        assertThat(long2.text("/errors/0/bound")).isEqualTo("65536");
    }

    ///
    @Test
    void only_the_holder_may_append() {
        String id = running();
        String queued = queue.enqueue("t");
        int before = queue.events(id, "").at("/items").size();
        for (QueueApi.Worker other :
                List.of(queue.worker("executor-02"), queue.keyWorker("executor-03"))) {
            Reply refused = other.say(id, "m");
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.text("/code")).isEqualTo("queue_not_the_holder");
        }
        assertThat(worker.say(queued, "m").status()).isEqualTo(409);
        advance(Duration.ofMinutes(3));
        assertThat(worker.say(id, "m").status()).isEqualTo(409);
        assertThat(queue.events(id, "").at("/items")).hasSize(before);
    }

    ///
    @ParameterizedTest
    @ValueSource(strings = {"01970000-0000-7000-8000-000000000000", "nothing"})
    void an_unknown_job_has_no_log(String id) {
        assertThat(worker.say(id, "m").text("/code")).isEqualTo("queue_job_not_found");
        assertThat(queue.events(id, "").text("/code")).isEqualTo("queue_job_not_found");
        assertThat(queue.events(id, "?waitSeconds=1").status()).isEqualTo(404);
    }

    /// nor has another account's job, or a task.
    @Test
    void a_log_belongs_to_its_account_and_door() {
        String id = running();
        QueueApi other = QueueApi.of(server);
        assertThat(other.events(id, "").status()).isEqualTo(404);
        assertThat(other.worker("executor-01").say(id, "m").status()).isEqualTo(404);
        String task =
                queue.keyed().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}").text("/task/id");
        assertThat(queue.events(task, "").status()).isEqualTo(404);
        assertThat(queue.keyed().get("/v1/tasks/" + id + "/events").status()).isEqualTo(404);
    }

    /// strictly later, from the first one on, in order.
    @Test
    void events_are_listed_after_a_time_in_order() {
        String id = running();
        for (int i = 0; i < 20; i++) {
            worker.say(id, "m" + i);
        }
        JsonNode all = queue.events(id, "").at("/items");
        List<String> times = all.findValuesAsString("createdAt");
        assertThat(times).isSorted().doesNotHaveDuplicates();
        assertThat(all.get(0).get("event").asString()).isNotEmpty();
        for (int i = 0; i < times.size(); i++) {
            assertThat(
                            queue.events(id, "?after=" + times.get(i))
                                    .at("/items")
                                    .findValuesAsString("createdAt"))
                    .isEqualTo(times.subList(i + 1, times.size()));
        }
    }

    /// a second without a fraction is its beginning.
    @Test
    void a_whole_second_is_before_all_that_happened_in_it() {
        String id = running();
        String time = worker.say(id, "m").text("/createdAt");
        Instant at = Instant.parse(time);
        String second = time.substring(0, 19) + "Z";
        boolean fraction = at.getNano() > 0;
        assertThat(messages(id, "?after=" + second).contains("m")).isEqualTo(fraction);
        assertThat(messages(id, "?after=" + time)).doesNotContain("m");
        assertThat(messages(id, "?after=" + at.minusMillis(1))).containsExactly("m");
        // An offset is another way to write the same moment.
        String offset = at.minusMillis(1).atOffset(ZoneOffset.ofHours(2)).toString();
        assertThat(messages(id, "?after=" + offset.replace("+", "%2B"))).containsExactly("m");
    }

    ///
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            textBlock =
                    """
                    ?limit=0                 | limit
                    ?limit=1001              | limit
                    ?limit=some              | limit
                    ?limit=-1                | limit
                    ?after=yesterday         | after
                    ?after=                  | after
                    ?after=2026-02-14        | after
                    ?after=2026-02-14T09:32  | after
                    ?after=ZTE6eA            | after
                    ?waitSeconds=31          | waitSeconds
                    """)
    void a_bad_question_is_refused(String query, String field) {
        Reply reply = queue.events(running(), query);
        assertThat(reply.status()).isEqualTo(400);
        assertThat(reply.text("/errors/0/field")).isEqualTo(field);
    }

    /// pages follow each other by the cursor as by the time.
    @Test
    void pages_follow_each_other_without_a_gap() {
        String id = running();
        for (int i = 0; i < 230; i++) {
            worker.say(id, "m" + i);
        }
        assertThat(queue.events(id, "").at("/items")).hasSize(200);
        assertThat(queue.events(id, "").at("/hasMore").asBoolean()).isTrue();
        assertThat(queue.events(id, "?limit=200").at("/items")).hasSize(200);
        List<String> all = messages(id, "?limit=1000");
        assertThat(all).hasSize(232);
        var byCursor = new ArrayList<String>();
        Reply page = queue.events(id, "?limit=7");
        while (!page.at("/items").isEmpty()) {
            byCursor.addAll(page.at("/items").findValuesAsString("message"));
            page = queue.events(id, "?limit=7&after=" + page.text("/nextCursor"));
        }
        assertThat(byCursor).isEqualTo(all);
        assertThat(page.text("/nextCursor")).isNotEmpty();
        assertThat(page.at("/hasMore").asBoolean()).isFalse();
    }

    /// A page of large events ends early and says that there is more.
    @Test
    void a_page_of_large_events_is_bounded_and_loses_nothing() {
        String id = running();
        String large =
                "\"level\":\"info\",\"message\":\"large\",\"payload\":{\"a\":\"%s\"}"
                        .formatted("x".repeat(60_000));
        for (int i = 0; i < 110; i++) {
            assertThat(append(id, large).status()).isEqualTo(201);
        }
        Reply first = queue.events(id, "?limit=1000");
        assertThat(first.at("/items").size()).isLessThan(110);
        assertThat(first.at("/hasMore").asBoolean()).isTrue();
        Reply rest = queue.events(id, "?limit=1000&after=" + first.text("/nextCursor"));
        assertThat(first.at("/items").size() + rest.at("/items").size()).isEqualTo(112);
    }

    /// A log is bounded by rate and by size, and each bound says which it is.
    @Test
    void a_log_takes_only_so_many_events_at_a_time_and_at_all() {
        String id = running();
        assertThat(worker.say(id, "first").status()).isEqualTo(201);
        server.database()
                .execute(
                        "update job_log set in_window = 5000, window_ms = ? where work_id ="
                                + " ?::uuid",
                        now().toEpochMilli(),
                        id);
        Reply often = worker.say(id, "too often");
        assertThat(often.status()).isEqualTo(429);
        assertThat(often.text("/code")).isEqualTo("queue_too_many_events");
        assertThat(often.text("/detail")).contains("5000");
        assertThat(Integer.parseInt(often.header("Retry-After"))).isBetween(1, 10);
        advance(Duration.ofSeconds(11));
        assertThat(worker.say(id, "later").status()).isEqualTo(201);
        server.database().execute("update job_log set events = 100000 where work_id = ?::uuid", id);
        Reply full = worker.say(id, "too many");
        assertThat(full.status()).isEqualTo(409);
        assertThat(full.text("/code")).isEqualTo("queue_event_log_full");
        // A full log keeps nobody from finishing.
        assertThat(worker.heartbeat(id, 60).status()).isEqualTo(200);
        assertThat(worker.complete(id).status()).isEqualTo(200);
        assertThat(messages(id, "?limit=1000")).contains("later").doesNotContain("too many");
    }

    ///
    @ParameterizedTest
    @ValueSource(strings = {"PUT", "PATCH", "DELETE"})
    void events_cannot_be_changed(String method) {
        String id = running();
        String path = QueueApi.JOBS + "/" + id + "/events";
        Reply reply = queue.keyed().send(method, path, "{}");
        assertThat(reply.status()).isEqualTo(405);
        assertThat(reply.header("Allow")).isEqualTo("GET, HEAD, POST");
        assertThat(reply.text("/code")).isEqualTo("queue_method_not_allowed");
    }

    /// what happens to a job is in its log, beside what its worker says.
    @Test
    void what_happens_to_a_job_is_in_its_log() {
        String id = running();
        worker.heartbeat(id, 60);
        worker.fail(id, true);
        advance(Duration.ofSeconds(6));
        assertThat(worker.claimed("\"leaseSeconds\":5")).isEqualTo(id);
        worker.say(id, "m");
        advance(Duration.ofSeconds(6));
        server.sweepLeases();
        advance(Duration.ofMinutes(16));
        assertThat(worker.claimed()).isEqualTo(id);
        queue.verb(id, "cancel");
        worker.fail(id, true);
        List<String> words = queue.lifecycle(id);
        assertThat(words)
                .containsSubsequence(
                        "enqueued",
                        "claimed",
                        "heartbeat",
                        "failed",
                        "claimed",
                        "lease_expired",
                        "claimed",
                        "cancel_requested",
                        "cancelled");
        assertThat(words.getLast()).isEqualTo("cancelled");
        String done = running();
        worker.complete(done);
        assertThat(queue.lifecycle(done)).containsExactly("enqueued", "claimed", "completed");
        JsonNode first = queue.events(done, "").at("/items").get(0);
        assertThat(first.get("message").asString()).isNotEmpty();
        assertThat(first.get("level").asString()).isEqualTo("info");
        assertThat(first.at("/payload/status").asString()).isEqualTo("queued");
        assertThat(first.at("/payload/attempt").asInt()).isZero();
    }

    /// Events that are waited for come when they are there.
    @Test
    void a_reader_may_wait_for_the_next_event() throws Exception {
        String id = running();
        String cursor = queue.events(id, "").text("/nextCursor");
        var waiting =
                CompletableFuture.supplyAsync(
                        () -> queue.events(id, "?waitSeconds=30&after=" + cursor));
        Until.isTrue(
                "it waits",
                Duration.ofSeconds(20),
                () -> server.kernel().kernel().itemLogs().following() == 1);
        worker.say(id, "there");
        assertThat(waiting.get(20, TimeUnit.SECONDS).at("/items").findValuesAsString("message"))
                .containsExactly("there");
        assertThat(queue.events(id, "?waitSeconds=1&after=2999-01-01T00:00:00Z").at("/items"))
                .isEmpty();
    }
}
