package io.orchestrion.server.runs;

import static io.orchestrion.server.runs.RunApi.body;
import static io.orchestrion.server.runs.RunApi.one;
import static io.orchestrion.server.runs.RunApi.path;
import static io.orchestrion.server.runs.RunApi.planned;
import static io.orchestrion.server.runs.RunReadsTest.refused;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.idempotency.IdempotencyKey;
import io.orchestrion.kernel.idempotency.KeyedVerbs.Made;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/// One key, one effect: what `Idempotency-Key` does at the runs door.
class RunIdempotencyTest {
    private static final String KEY = "Idempotency-Key";
    private static final String BODY = body("");

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final RunApi runs = RunApi.on(server);

    private Api with(String key) {
        return runs.api().with(KEY, key);
    }

    private Reply create(String key, String body) {
        return with(key).post(RunApi.RUNS, body);
    }

    private static void replayed(Reply first, Reply again) {
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.text()).isEqualTo(first.text());
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    }

    private List<String> all() {
        return runs.api().get(RunApi.RUNS).at("/items").values().stream()
                .map(each -> each.path("id").asString(""))
                .toList();
    }

    static Stream<Endpoint> changing() {
        return Doors.CATALOGUE.ofDoor(RunsDoor.NAME).stream()
                .filter(each -> !each.method().equals("GET"));
    }

    ///
    @ParameterizedTest
    @MethodSource("changing")
    void every_endpoint_that_changes_something_takes_a_key(Endpoint endpoint) {
        assertThat(endpoint.notes().requestHeaders().stream().map(each -> each.name()))
                .contains(KEY);
        String long256 = "k".repeat(256);
        Reply reply =
                with(long256)
                        .send(
                                endpoint.method(),
                                endpoint.path()
                                        .replaceAll("\\{[^/]*}", UUID.randomUUID().toString()),
                                endpoint.request() == null ? null : endpoint.request().toExample());
        assertThat(reply.status()).as(reply.text()).isIn(400, 403, 404);
    }

    ///
    @Test
    void the_second_request_gets_the_first_answer_byte_by_byte() {
        Reply first = create("again", BODY);
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        Reply again = create("again", BODY);
        replayed(first, again);
        assertThat(again.text("/run_id")).isEqualTo(first.text("/run_id"));
    }

    /// for the create and for the start.
    @Test
    void an_answer_that_is_given_again_does_nothing_again() {
        String run = create("once", BODY).text("/id");
        create("once", BODY);
        assertThat(all()).containsExactly(run);
        Reply started = with("start").post(path(run) + "/start");
        for (int i = 0; i < 3; i++) {
            replayed(started, with("start").post(path(run) + "/start"));
        }
        assertThat(runs.ledger(run)).containsExactly("reserve 100");
        assertThat(runs.rows("run_message", run)).isOne();
        assertThat(runs.transitions(run)).containsExactly("created", "created -> pending");
    }

    /// also of the start, of the retry and of what is not there any more.
    @Test
    void the_first_answer_is_given_again_when_the_run_has_moved_on() {
        Reply first = create("moved", planned(one("moved")));
        String run = first.text("/id");
        Reply started = with("moved").post(path(run) + "/start");
        runs.drive(run, "running");
        runs.fail("moved", "ValueError");
        Reply retried = with("moved").post(path(run) + "/retry");
        runs.drive(run, "running");
        runs.complete("moved");
        replayed(first, create("moved", planned(one("moved"))));
        replayed(started, with("moved").post(path(run) + "/start"));
        replayed(retried, with("moved").post(path(run) + "/retry"));
        assertThat(first.text("/status")).isEqualTo("created");
        assertThat(started.text("/status")).isEqualTo("pending");
        assertThat(retried.text("/status")).isEqualTo("retrying");
        assertThat(runs.status(run)).isEqualTo("completed");
        assertThat(runs.transitions(run)).hasSize(8);
    }

    @Test
    void a_delete_is_answered_again_although_the_run_is_gone() {
        String run = runs.create(BODY);
        for (int i = 0; i < 2; i++) {
            Reply gone = with("gone").send("DELETE", path(run), null);
            assertThat(gone.status()).as(gone.text()).isEqualTo(204);
            assertThat(gone.text()).isEmpty();
        }
        refused(runs.delete(run), 404, "run_not_found");
    }

    ///
    @Test
    void without_a_key_each_request_makes_a_run() {
        assertThat(List.of(runs.create(BODY), runs.create(BODY))).doesNotHaveDuplicates();
        assertThat(all()).hasSize(2);
    }

    ///
    @Test
    void what_is_kept_of_a_request_is_its_hash_and_its_answer_for_a_day() throws Exception {
        Reply first = create("kept", BODY);
        Map<String, Object> row =
                server.database()
                        .rows(
                                "select * from idempotency where account_id = ?",
                                UUID.fromString(runs.tasks().accountId()))
                        .getFirst();
        byte[] hash =
                MessageDigest.getInstance("SHA-256").digest(BODY.getBytes(StandardCharsets.UTF_8));
        assertThat(row)
                .containsEntry("key", "kept")
                .containsEntry("action", "POST /api/v1/runs")
                .containsEntry("status", 201)
                .containsEntry("answer", first.text());
        assertThat(
                        HexFormat.of()
                                .formatHex(
                                        (byte[]) Objects.requireNonNull(row.get("request_hash"))))
                .isEqualTo(HexFormat.of().formatHex(hash));
        assertThat((long) row.get("expires_ms") - (long) row.get("created_ms"))
                .isEqualTo(Duration.ofHours(24).toMillis());
    }

    ///
    @Test
    void a_key_is_for_one_request() {
        Reply first = create("taken", BODY);
        Reply other = create("taken", body(",\"max_tokens\":7"));
        refused(other, 409, "idempotency_conflict");
        assertThat(other.text()).doesNotContain(first.text("/id"));
        assertThat(all()).containsExactly(first.text("/id"));
        replayed(first, create("taken", BODY));
    }

    /// an endpoint is its path with the ids in it.
    @Test
    void a_key_is_another_one_elsewhere() {
        String first = create("same", BODY).text("/id");
        String second = runs.create(BODY);
        for (String run : List.of(first, second)) {
            Reply started = with("same").post(path(run) + "/start");
            assertThat(started.status()).as(started.text()).isEqualTo(200);
            assertThat(started.text("/id")).isEqualTo(run);
            assertThat(started.header("Idempotency-Replayed")).isEmpty();
        }
        RunApi other = RunApi.on(server);
        Reply ofOther = other.api().with(KEY, "same").post(RunApi.RUNS, BODY);
        assertThat(ofOther.status()).isEqualTo(201);
        assertThat(ofOther.text("/id")).isNotEqualTo(first);
        assertThat(all()).containsExactlyInAnyOrder(first, second);
        long rows =
                server.database()
                        .value(
                                "select count(*) from idempotency where key = 'same' and account_id"
                                        + " = ?",
                                UUID.fromString(runs.tasks().accountId()));
        assertThat(rows).isEqualTo(3);
    }

    /// whether or not anybody has swept the old row away.
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void after_a_day_the_key_is_good_for_another_request(boolean swept) {
        Reply first = create("daily", BODY);
        server.clock().advance(Duration.ofHours(24).minusSeconds(1));
        replayed(first, create("daily", BODY));
        server.clock().advance(Duration.ofSeconds(2));
        if (swept) {
            server.kernel().kernel().sweepOnce("purger");
        }
        Reply next = create("daily", body(",\"priority\":\"high\""));
        assertThat(next.status()).as(next.text()).isEqualTo(201);
        assertThat(next.text("/id")).isNotEqualTo(first.text("/id"));
        replayed(next, create("daily", body(",\"priority\":\"high\"")));
    }

    ///
    @Test
    void twenty_requests_at_once_make_one_run() {
        List<Reply> replies = Parallel.run(20, _ -> () -> create("crowd", BODY));
        List<Reply> answered = replies.stream().filter(each -> each.status() < 300).toList();
        assertThat(replies)
                .allSatisfy(
                        each -> {
                            if (each.status() >= 300) {
                                inFlight(each);
                            }
                        });
        assertThat(answered.stream().filter(each -> each.status() == 201)).hasSize(1);
        assertThat(Set.copyOf(answered.stream().map(Reply::text).toList())).hasSize(1);
        assertThat(all()).hasSize(1);
    }

    private static void inFlight(Reply reply) {
        refused(reply, 503, "idempotency_in_flight");
        assertThat(reply.number("/agent_contract/next_actions/0/retry_after_seconds")).isPositive();
    }

    /// the first one takes longer than anybody waits for it.
    @Test
    void a_request_whose_key_is_taken_for_long_is_told_when_to_ask_again() throws Exception {
        UUID account = UUID.fromString(runs.tasks().accountId());
        var taken = new CountDownLatch(1);
        var goOn = new CountDownLatch(1);
        var key =
                new IdempotencyKey(
                        RunsDoor.NAME,
                        account,
                        "POST /api/v1/runs",
                        "slow",
                        new byte[32],
                        RunOnce.KEPT,
                        Duration.ofMinutes(1));
        Thread first =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        server.kernel()
                                                .kernel()
                                                .keyedVerbs()
                                                .once(
                                                        account,
                                                        key,
                                                        _ -> {
                                                            taken.countDown();
                                                            await(goOn);
                                                            return Made.nothing("refused");
                                                        }));
        await(taken);
        inFlight(create("slow", BODY));
        goOn.countDown();
        first.join();
        assertThat(create("slow", BODY).status()).isEqualTo(201);
        assertThat(all()).hasSize(1);
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// the run and the answer that is kept come together or not at all.
    @ParameterizedTest
    @ValueSource(strings = {"idempotency", "run"})
    void neither_the_run_nor_its_answer_is_kept_alone(String broken) {
        server.database()
                .execute(
                        """
                        create function break_it() returns trigger language plpgsql as
                        $$ begin raise exception 'broken on purpose'; end $$
                        """);
        server.database()
                .execute(
                        "create constraint trigger break_it after insert or update on "
                                + broken
                                + " deferrable initially deferred for each row execute function"
                                + " break_it()");
        try {
            Reply failed = create("broken", BODY);
            assertThat(failed.status()).as(failed.text()).isEqualTo(500);
        } finally {
            server.database().execute("drop trigger break_it on " + broken);
            server.database().execute("drop function break_it");
        }
        assertThat(all()).isEmpty();
        long keys =
                server.database()
                        .value(
                                "select count(*) from idempotency where account_id = ?",
                                UUID.fromString(runs.tasks().accountId()));
        assertThat(keys).isZero();
        assertThat(create("broken", BODY).status()).isEqualTo(201);
    }

    /// a 400, a 402, a 404 and a 409 are not kept.
    @Test
    void after_a_refusal_the_key_is_free() {
        String costly = body(",\"max_tokens\":2000000");
        refused(create("poor", costly), 402, "insufficient_credits");
        refused(create("poor", costly), 402, "insufficient_credits");
        Reply granted =
                RunApi.operator(server)
                        .post(
                                "/api/v1/admin/credits/grants",
                                "{\"org_id\":\"%s\",\"amount\":5000,\"idempotency_key\":\"g\"}"
                                        .formatted(runs.tasks().accountId()));
        assertThat(granted.status()).as(granted.text()).isEqualTo(201);
        Reply rich = create("poor", costly);
        assertThat(rich.status()).as(rich.text()).isEqualTo(201);
        String run = rich.text("/id");
        refused(with("early").post(path(run) + "/pause"), 409, "invalid_transition");
        runs.done(run, "start");
        runs.drive(run, "running");
        assertThat(with("early").post(path(run) + "/pause").text("/status")).isEqualTo("paused");
        refused(create("bad", "{}"), 400, "invalid_request");
        assertThat(create("bad", BODY).status()).isEqualTo(201);
    }

    ///
    @ParameterizedTest
    @ValueSource(
            strings = {
                "idem_123",
                "idem_0190f0c2-7b0a-7c31-9d0e-0d6f3f1f6a10",
                "x",
                "a key with spaces ~!@#$%^&*()"
            })
    void a_key_is_any_printable_text(String key) {
        Reply first = create(key, BODY);
        assertThat(first.status()).as(first.text()).isEqualTo(201);
        replayed(first, create(key, BODY));
    }

    ///
    @Test
    void a_key_has_1_to_255_characters() {
        assertThat(create("k".repeat(255), BODY).status()).isEqualTo(201);
        for (String bad : List.of("k".repeat(256), "")) {
            refused(create(bad, BODY), 400, "invalid_request");
        }
        refused(
                with("one").with("idempotency-key", "two").post(RunApi.RUNS, BODY),
                400,
                "invalid_request");
        assertThat(all()).hasSize(1);
    }
}
