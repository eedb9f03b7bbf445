package io.orchestrion.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.server.jobs.JobsError;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/// What the doors do when the disk of the database is full: those who hold work go on, and nobody
/// takes on more.
@Timeout(180)
class FullDiskTest {
    private static final FakeHost HOST = new FakeHost();
    private static final String TASK = "{\"type\":\"a\",\"payload\":{}}";

    private static TestServer server;

    @BeforeAll
    static void start() {
        server =
                new TestServer(
                        options -> options.withRoom(HOST), options -> options.withHost(HOST));
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @AfterEach
    void empty() {
        HOST.fill(false);
    }

    private final TaskApi tasks = server.account();

    private void full(Reply reply, String code) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(507);
        assertThat(reply.error().isEmpty() ? reply.text("/code") : reply.error()).isEqualTo(code);
        assertThat(reply.header("Retry-After")).isEqualTo("30");
        assertThat(reply.text()).contains("disk is full", "nothing was done", "free room");
    }

    @Test
    void new_work_is_refused_with_what_to_do_at_every_door() {
        tasks.create("a");
        HOST.fill(true);
        full(tasks.api().post("/v1/tasks", TASK), "insufficient_storage");
        full(
                tasks.api().with("Idempotency-Key", "k").post("/v1/tasks", TASK),
                "insufficient_storage");
        full(
                tasks.api().post("/v1/tasks/batch", "{\"tasks\":[" + TASK + "," + TASK + "]}"),
                "insufficient_storage");
        full(tasks.claim("a"), "insufficient_storage");
        full(
                tasks.api().post("/api/queue/jobs", "{\"type\":\"a\",\"payload\":{}}"),
                "queue_insufficient_storage");
        Reply job = tasks.api().post("/v1/jobs", "{\"type\":\"EXECUTE\"}");
        assertThat(job.status()).isEqualTo(503);
        assertThat(job.text("/code")).isEqualTo(JobsError.STORAGE_DB_ERROR.code());
        assertThat(job.text("/detail")).contains("disk is full");
        assertThat(job.header("Retry-After")).isEqualTo("30");
        HOST.fill(false);
        assertThat(tasks.api().post("/v1/tasks", TASK).status()).isEqualTo(201);
    }

    @Test
    void whoever_holds_work_goes_on_and_everybody_can_read() {
        String first = tasks.create("a");
        String second = tasks.create("a");
        tasks.verb(first, "claim");
        tasks.verb(second, "claim");
        HOST.fill(true);
        assertThat(tasks.verb(first, "heartbeat").status()).isEqualTo(200);
        assertThat(tasks.verb(first, "complete", "{\"result\":{}}").status()).isEqualTo(200);
        assertThat(tasks.verb(second, "fail", "{\"reason\":\"no\"}").status()).isEqualTo(200);
        assertThat(tasks.get(first).status()).isEqualTo(200);
        assertThat(tasks.api().get("/v1/tasks").status()).isEqualTo(200);
    }

    @Test
    void a_node_whose_disk_is_full_is_not_ready_and_comes_back() {
        HOST.fill(true);
        Reply ready = server.anonymous().get("/ready");
        assertThat(ready.status()).isEqualTo(503);
        assertThat(ready.text("/reasons/0")).isEqualTo("disk_full");
        Reply health = server.anonymous().get("/health");
        assertThat(health.status()).isEqualTo(200);
        assertThat(health.text("/status")).isEqualTo("degraded");
        assertThat(health.at("/disk/full").asBoolean()).isTrue();
        assertThat(health.text("/database/problem")).contains("disk of the database is full");
        HOST.fill(false);
        assertThat(server.anonymous().get("/ready").status()).isEqualTo(200);
    }

    /// The disk can be full before anybody has looked: then the database says it first.
    @Test
    void a_holder_who_meets_the_end_of_the_disk_gets_the_room_that_was_kept() {
        String id = tasks.create("a");
        tasks.verb(id, "claim");
        var met = new AtomicInteger();
        int before = HOST.made();
        server.kernel()
                .failpoints()
                .arm(
                        "holder.before-commit",
                        () -> {
                            if (met.incrementAndGet() == 1) {
                                throw new StoreException(StoreException.Kind.NO_ROOM, "full");
                            }
                        });
        try {
            assertThat(tasks.verb(id, "complete", "{\"result\":{}}").status()).isEqualTo(200);
        } finally {
            server.kernel().failpoints().disarm("holder.before-commit");
        }
        assertThat(HOST.made()).isEqualTo(before + 1);
        assertThat(tasks.status(id)).isEqualTo("completed");
    }

    /// What becomes due waits for room, and is not passed over.
    @Test
    void schedules_wait_for_room() {
        Reply made =
                tasks.api()
                        .post(
                                "/v1/schedules",
                                "{\"name\":\"s\",\"everySeconds\":60,\"task\":" + TASK + "}");
        assertThat(made.status()).as(made.text()).isEqualTo(201);
        server.clock().advance(Duration.ofMinutes(2));
        HOST.fill(true);
        assertThat(server.kernel().kernel().sweepOnce("schedule-firer")).isZero();
        HOST.fill(false);
        assertThat(server.kernel().kernel().sweepOnce("schedule-firer")).isPositive();
    }
}
