package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.fault.Failpoints;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// A key from its taking to its end: requests at the same time, crashes, time, another node.
class IdempotencyLifeTest {
    private static final String BODY = "{\"type\":\"keyed\",\"payload\":{\"n\":1}}";
    private static final String BEFORE = "submit-keyed.before-commit";
    private static final String AFTER = "submit-keyed.after-commit";

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
    private final Stored stored = new Stored(server);

    @AfterEach
    void disarm() {
        server.kernel().failpoints().disarm(BEFORE);
        server.kernel().failpoints().disarm(AFTER);
    }

    private Reply create(Api api) {
        return api.with("Idempotency-Key", "k").post("/v1/tasks", BODY);
    }

    private Reply create() {
        return create(tasks.api());
    }

    private long tasksMade() {
        return stored.tasksOf(tasks.accountId());
    }

    private List<Map<String, Object>> keyRows() {
        return server.database()
                .rows(
                        "select * from idempotency where account_id = ?",
                        UUID.fromString(tasks.accountId()));
    }

    private static void inFlight(Reply reply) {
        assertThat(reply.status()).isEqualTo(503);
        assertThat(reply.error()).isEqualTo("idempotency_in_flight");
        boolean waits = false;
        for (JsonNode action : reply.at("/agent_contract/next_actions")) {
            waits |=
                    action.path("action").asString().equals("retry_after_wait")
                            && action.path("retry_after_seconds").asInt() == 2;
        }
        assertThat(waits).as(reply.text()).isTrue();
        assertThat(reply.header("Retry-After")).isEqualTo("2");
    }

    /// Stops the first request just before its commit.
    private static final class Parked implements AutoCloseable {
        private final CountDownLatch arrived = new CountDownLatch(1);
        private final CountDownLatch released = new CountDownLatch(1);

        Parked() {
            server.kernel()
                    .failpoints()
                    .arm(
                            BEFORE,
                            () -> {
                                arrived.countDown();
                                released.await();
                            });
        }

        /// Until the first one is there, or for as long as no test should take.
        void await() throws InterruptedException {
            assertThat(arrived.await(60, TimeUnit.SECONDS)).isTrue();
        }

        @Override
        public void close() {
            released.countDown();
        }
    }

    /// T-165.
    @Test
    void a_second_request_is_told_to_wait_while_the_first_is_under_way() throws Exception {
        try (var parked = new Parked()) {
            var first = CompletableFuture.supplyAsync(this::create);
            parked.await();
            inFlight(create());
            assertThat(tasksMade()).isZero();
            parked.released.countDown();
            assertThat(first.get().status()).isEqualTo(201);
            assertThat(create().text()).isEqualTo(first.get().text());
        }
        assertThat(tasksMade()).isEqualTo(1);
    }

    /// T-165: on another node, which meets the first one's row in the database.
    @Test
    void a_second_request_on_another_node_is_told_to_wait_too() throws Exception {
        try (var other = anotherNode();
                var parked = new Parked()) {
            Api elsewhere = on(other);
            var first = CompletableFuture.supplyAsync(this::create);
            parked.await();
            inFlight(create(elsewhere));
            parked.released.countDown();
            assertThat(first.get().status()).isEqualTo(201);
            assertThat(create(elsewhere).text()).isEqualTo(first.get().text());
        }
        assertThat(tasksMade()).isEqualTo(1);
    }

    private static OrchestrionServer anotherNode() {
        return OrchestrionServer.start(
                server.kernel().anotherNode(options -> options), TestServer.options());
    }

    private Api on(OrchestrionServer node) {
        return Api.on(node.port(), ResponseCheck.NONE).withKey(tasks.key());
    }

    /// T-166, T-167: a placeholder as somebody left it who is gone.
    @Test
    void a_placeholder_is_respected_for_90_seconds_and_then_taken_over() {
        UUID account = UUID.fromString(tasks.accountId());
        UUID keyId =
                server.database().value("select key_id from api_key where account_id = ?", account);
        long now = stored.nowMs();
        server.database()
                .execute(
                        """
                        insert into idempotency (account_id, surface, scope, action, key,
                            request_hash, work_id, status, answer, locked_until_ms, created_ms,
                            expires_ms)
                        values (?, 'tasks', ?, 'create', 'k', ?, null, null, null, ?, ?, ?)
                        """,
                        account,
                        keyId,
                        new byte[32],
                        now + 90_000,
                        now,
                        now + Duration.ofDays(7).toMillis());
        inFlight(create());
        server.clock().advance(Duration.ofSeconds(85));
        inFlight(create());
        assertThat(tasksMade()).isZero();
        server.clock().advance(Duration.ofSeconds(6));
        Reply taken = create();
        assertThat(taken.status()).isEqualTo(201);
        assertThat(create().text()).isEqualTo(taken.text());
        assertThat(tasksMade()).isEqualTo(1);
        assertThat(keyRows()).hasSize(1);
    }

    /// T-166, T-168: what the product itself writes.
    @Test
    void a_key_is_locked_for_90_seconds_and_kept_for_7_days() {
        create();
        Map<String, Object> row = keyRows().getFirst();
        long created = (Long) row.get("created_ms");
        assertThat((Long) row.get("locked_until_ms") - created).isEqualTo(90_000);
        assertThat((Long) row.get("expires_ms") - created).isEqualTo(7L * 24 * 3600 * 1000);
    }

    /// T-168.
    @Test
    void after_seven_days_the_key_is_free_again() {
        Reply first = create();
        server.clock().advance(Duration.ofDays(7).minusSeconds(60));
        assertThat(create().text()).isEqualTo(first.text());
        server.clock().advance(Duration.ofSeconds(61));
        Reply fresh = create();
        assertThat(fresh.status()).isEqualTo(201);
        assertThat(fresh.text("/task/id")).isNotEqualTo(first.text("/task/id"));
        assertThat(create().text()).isEqualTo(fresh.text());
        assertThat(tasksMade()).isEqualTo(2);
        assertThat(keyRows()).hasSize(1);
    }

    /// T-173.
    @Test
    void twenty_creates_at_once_with_one_key_make_one_task() {
        for (int round = 0; round < 5; round++) {
            TaskApi fresh = server.account();
            oneTask(fresh, Parallel.run(20, _ -> () -> create(fresh.api())));
        }
    }

    /// T-173: from two nodes.
    @Test
    void twenty_creates_at_once_on_two_nodes_make_one_task() {
        try (var other = anotherNode()) {
            for (int round = 0; round < 5; round++) {
                TaskApi fresh = server.account();
                Api elsewhere = Api.on(other.port(), ResponseCheck.NONE).withKey(fresh.key());
                oneTask(
                        fresh,
                        Parallel.run(20, i -> () -> create(i % 2 == 0 ? fresh.api() : elsewhere)));
            }
        }
    }

    private void oneTask(TaskApi account, List<Reply> replies) {
        var ids = new HashSet<String>();
        for (Reply reply : replies) {
            if (reply.status() == 201) {
                ids.add(reply.text("/task/id"));
            } else {
                inFlight(reply);
            }
        }
        assertThat(ids).hasSize(1);
        assertThat(stored.tasksOf(account.accountId())).isEqualTo(1);
        long keys =
                server.database()
                        .value(
                                "select count(*) from idempotency where account_id = ?",
                                UUID.fromString(account.accountId()));
        assertThat(keys).isEqualTo(1);
    }

    /// Different keys at once do not get into each other's way.
    @Test
    void many_keys_at_once_make_a_task_each() {
        List<String> ids =
                Parallel.run(
                        40,
                        i ->
                                () ->
                                        tasks.api()
                                                .with("Idempotency-Key", "k" + i)
                                                .post("/v1/tasks", BODY)
                                                .text("/task/id"));
        assertThat(new HashSet<>(ids)).hasSize(40).doesNotContain("");
        assertThat(tasksMade()).isEqualTo(40);
    }

    private static void breakAt(String place) {
        server.kernel()
                .failpoints()
                .arm(
                        place,
                        () -> {
                            throw new Failpoints.Injected(place);
                        });
    }

    /// T-174: neither the task nor its key is there, and the same request makes both.
    @Test
    void what_breaks_before_the_commit_leaves_nothing() {
        breakAt(BEFORE);
        Reply broken = create();
        assertThat(broken.status()).isEqualTo(500);
        assertThat(broken.error()).isEqualTo("server_error");
        assertThat(tasksMade()).isZero();
        assertThat(keyRows()).isEmpty();
        disarm();
        assertThat(create().status()).isEqualTo(201);
        assertThat(tasksMade()).isEqualTo(1);
        assertThat(keyRows()).hasSize(1);
    }

    /// T-174: both are there, and the same request gets the answer that was lost.
    @Test
    void what_breaks_after_the_commit_leaves_the_task_and_its_answer() {
        breakAt(AFTER);
        assertThat(create().status()).isEqualTo(503);
        assertThat(tasksMade()).isEqualTo(1);
        assertThat(keyRows()).hasSize(1);
        assertThat(keyRows().getFirst().get("answer")).isNotNull();
        disarm();
        Reply again = create();
        assertThat(again.status()).isEqualTo(201);
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
        assertThat(tasks.get(again.text("/task/id")).status()).isEqualTo(200);
        assertThat(tasksMade()).isEqualTo(1);
    }
}
