package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.app.client.FaultyProxy.Fault;
import io.orchestrion.sdk.ClaimedTask;
import io.orchestrion.sdk.Directives;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.Renewal;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskFailure;
import io.orchestrion.sdk.TaskHandler;
import io.orchestrion.sdk.TaskQuery;
import io.orchestrion.sdk.TaskReport;
import io.orchestrion.sdk.TaskStatus;
import io.orchestrion.sdk.Worker;
import io.orchestrion.sdk.WorkerEvent;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

@Timeout(180)
class WorkerTest {
    private static ClientServer server;
    private final BlockingQueue<WorkerEvent<Task>> events = new LinkedBlockingQueue<>();
    private OrchestrionClient client;

    @BeforeAll
    static void start() {
        server = new ClientServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    @BeforeEach
    void connect() {
        client = server.client();
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private UUID created() {
        return client.create(NewTask.ofType("t").leaseDuration(Duration.ofSeconds(30)).build())
                .id();
    }

    private Worker.Builder worker(OrchestrionClient with) {
        return Worker.builder(with).type("t").workerId("w").listener(events::add);
    }

    private <T extends WorkerEvent> T next(Class<T> kind) throws InterruptedException {
        while (true) {
            WorkerEvent<Task> event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event).as("a " + kind.getSimpleName()).isNotNull();
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
    }

    @Test
    void fifty_tasks_are_done_by_eight_slots() throws Exception {
        for (int i = 0; i < 50; i++) {
            client.create(NewTask.ofType("t").payload("{\"n\":" + i + "}").build());
        }
        var now = new AtomicInteger();
        var most = new AtomicInteger();
        var eight = new CountDownLatch(8);
        try (Worker worker =
                worker(client)
                        .concurrency(8)
                        .handler(
                                task -> {
                                    most.accumulateAndGet(now.incrementAndGet(), Math::max);
                                    eight.countDown();
                                    eight.await();
                                    now.decrementAndGet();
                                    int n = task.payloadJson().path("n").intValue();
                                    return "{\"squared\":" + n * n + "}";
                                })
                        .start()) {
            for (int i = 0; i < 50; i++) {
                next(WorkerEvent.Completed.class);
            }
            worker.close();
            assertThat(worker.running()).isZero();
        }
        assertThat(most).hasValue(8);
        int done = 0;
        for (Task task : client.listAll(TaskQuery.ALL.withStatus(TaskStatus.COMPLETED))) {
            int n = task.payloadJson().path("n").intValue();
            assertThat(task.resultJson().path("squared").intValue()).isEqualTo(n * n);
            assertThat(task.attemptCount()).isEqualTo(1);
            done++;
        }
        assertThat(done).isEqualTo(50);
    }

    @Test
    void what_a_handler_throws_is_the_reason_and_no_longer_than_the_contract_allows()
            throws Exception {
        UUID id = created();
        try (Worker _ =
                worker(client)
                        .handler(
                                _ -> {
                                    throw new TaskFailure(
                                            "no \0 " + "😀".repeat(600), Duration.ofHours(1));
                                })
                        .start()) {
            String reason = next(WorkerEvent.Failed.class).reason();
            assertThat(reason).startsWith("no \uFFFD 😀").endsWith("😀");
            assertThat(reason.codePointCount(0, reason.length())).isEqualTo(500);
            Task task = client.get(id);
            assertThat(task.lastFailureReason()).isEqualTo(reason);
            assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
            assertThat(task.scheduledAt()).isAfter(Instant.now().plus(Duration.ofMinutes(59)));
        }
    }

    @Test
    void a_handler_can_say_for_programs_why_it_failed() throws Exception {
        UUID id = created();
        TaskReport report =
                TaskReport.failure("rate_limited", "too busy")
                        .httpStatus(429)
                        .retryAfter(Duration.ofHours(1))
                        .usage("{\"tokens\":5}")
                        .build();
        try (Worker _ =
                worker(client)
                        .handler(
                                _ -> {
                                    throw new TaskFailure(report);
                                })
                        .start()) {
            assertThat(next(WorkerEvent.Failed.class).reason()).isEqualTo("too busy");
            Task task = client.get(id);
            assertThat(task.reported()).isEqualTo(report);
            assertThat(task.scheduledAt()).isAfter(Instant.now().plus(Duration.ofMinutes(59)));
        }
    }

    @Test
    void a_heartbeat_says_until_when_an_attempt_may_go_on() {
        client.create(
                NewTask.ofType("t")
                        .giveUpAfter(Duration.ofMinutes(10))
                        .correlationId("order-7")
                        .build());
        var claimed = (ClaimedTask) client.claim("t", "w");
        Renewal renewal = client.renew(claimed.id(), claimed.leaseToken());
        assertThat(renewal.directives())
                .isEqualTo(new Directives(false, false, claimed.task().giveUpAt()));
        assertThat(renewal.task().correlationId()).isEqualTo("order-7");
        TaskReport report = TaskReport.success().usage("{\"tokens\":1}").logsRef("s3://l").build();
        client.complete(claimed, "{}", report);
        assertThat(client.get(claimed.id()).reported()).isEqualTo(report);
    }

    @Test
    void a_result_that_is_no_json_object_fails_the_task() throws Exception {
        client.create(NewTask.ofType("t").maxAttempts(1).build());
        client.create(NewTask.ofType("t").maxAttempts(1).build());
        var results = new LinkedBlockingQueue<>(List.of("nonsense", "[1]"));
        try (Worker _ = worker(client).handler(_ -> results.take()).start()) {
            assertThat(next(WorkerEvent.Failed.class).reason()).startsWith("result is not JSON");
            assertThat(next(WorkerEvent.Failed.class).reason()).contains("result");
        }
    }

    @Test
    void heartbeats_keep_the_lease_of_a_long_task() throws Exception {
        UUID id = created();
        var clock = new HandMovedClock();
        var go = new CountDownLatch(1);
        try (Worker _ =
                worker(client)
                        .clock(clock)
                        .handler(
                                _ -> {
                                    go.await();
                                    return null;
                                })
                        .start()) {
            for (int i = 0; i < 4; i++) {
                server.clock().advance(Duration.ofSeconds(10));
                clock.advanceWhenAsleep(1, Duration.ofSeconds(10));
            }
            // The keeper sleeps again only after its heartbeat was answered.
            clock.advanceWhenAsleep(1, Duration.ZERO);
            go.countDown();
            next(WorkerEvent.Completed.class);
        }
        assertThat(client.get(id).attemptCount()).isEqualTo(1);
    }

    @Test
    void a_worker_that_has_lost_its_lease_stops_its_handler_and_reports_nothing() throws Exception {
        UUID id = created();
        var clock = new HandMovedClock();
        var interrupted = new CountDownLatch(1);
        try (Worker _ = worker(client).clock(clock).handler(forEver(interrupted)).start()) {
            next(WorkerEvent.Claimed.class);
            server.clock().advance(Duration.ofSeconds(31));
            client.claim(id, "other");
            clock.advanceWhenAsleep(1, Duration.ofSeconds(10));
            interrupted.await();
            assertThat(next(WorkerEvent.LeaseLost.class).why()).contains("leaseToken");
        }
        Task task = client.get(id);
        assertThat(task.status()).isEqualTo(TaskStatus.CLAIMED);
        assertThat(task.claimedBy()).isEqualTo("other");
        assertThat(task.lastFailureReason()).isNotEqualTo("interrupted");
    }

    @Test
    void a_lease_that_nobody_answers_for_is_counted_as_lost_after_two_thirds() throws Exception {
        var clock = new HandMovedClock();
        var interrupted = new CountDownLatch(1);
        try (var proxy = new FaultyProxy(server.url());
                var through = OrchestrionClient.of(proxy.url(), server.newKey())) {
            through.create(NewTask.ofType("t").leaseDuration(Duration.ofSeconds(30)).build());
            try (Worker _ = worker(through).clock(clock).handler(forEver(interrupted)).start()) {
                next(WorkerEvent.Claimed.class);
                proxy.always(Fault.LOSE_REQUEST);
                clock.advanceWhenAsleep(1, Duration.ofSeconds(10));
                clock.advanceWhenAsleep(1, Duration.ofMillis(9_999));
                assertThat(interrupted.getCount()).isEqualTo(1);
                clock.advanceWhenAsleep(1, Duration.ofMillis(1));
                interrupted.await();
                assertThat(next(WorkerEvent.LeaseLost.class).why()).contains("no heartbeat");
            }
            assertThat(proxy.paths()).noneMatch(path -> path.endsWith("/fail"));
        }
    }

    private static TaskHandler forEver(CountDownLatch interrupted) {
        return _ -> {
            try {
                new CountDownLatch(1).await();
                return null;
            } catch (InterruptedException e) {
                interrupted.countDown();
                throw e;
            }
        };
    }

    @Test
    void closing_finishes_what_runs_and_claims_no_more() throws Exception {
        UUID first = created();
        UUID second = created();
        var go = new CountDownLatch(1);
        Worker worker =
                worker(client)
                        .handler(
                                _ -> {
                                    go.await();
                                    return "{}";
                                })
                        .start();
        next(WorkerEvent.Claimed.class);
        Thread closer = Thread.ofVirtual().start(worker::close);
        assertThat(closer.join(Duration.ofMillis(50))).isFalse();
        go.countDown();
        closer.join();
        assertThat(client.get(first).status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(client.get(second).status()).isEqualTo(TaskStatus.PENDING);
    }

    @Test
    void stopping_interrupts_what_runs_and_gives_it_back() throws Exception {
        UUID id = created();
        var interrupted = new CountDownLatch(1);
        Worker worker = worker(client).handler(forEver(interrupted)).start();
        next(WorkerEvent.Claimed.class);
        worker.stop();
        Task task = client.get(id);
        assertThat(task.status()).isEqualTo(TaskStatus.PENDING);
        assertThat(task.lastFailureReason()).isEqualTo("The worker was stopped.");
    }

    @Test
    void with_nothing_to_do_it_asks_again_after_the_servers_wait_and_a_little() throws Exception {
        var clock = new HandMovedClock();
        try (Worker _ = worker(client).clock(clock).random(() -> 0.5).handler(_ -> "{}").start()) {
            clock.advanceWhenAsleep(1, Duration.ZERO);
            assertThat(clock.lastSleep()).isEqualTo(Duration.ofMillis(5_625));
            created();
            clock.advanceWhenAsleep(1, Duration.ofMillis(5_625));
            next(WorkerEvent.Completed.class);
        }
    }

    @Test
    void a_worker_outlives_a_server_that_refuses_it() throws Exception {
        var clock = new HandMovedClock();
        try (var proxy = new FaultyProxy(server.url()).next(Fault.OVERLOADED, Fault.LOSE_REQUEST);
                var through = OrchestrionClient.of(proxy.url(), server.newKey())) {
            try (Worker _ =
                    worker(through).clock(clock).random(() -> 0).handler(_ -> "{}").start()) {
                clock.advanceWhenAsleep(1, Duration.ofSeconds(1));
                assertThat(next(WorkerEvent.ClaimFailed.class).failure().code())
                        .isEqualTo("overloaded");
                assertThat(next(WorkerEvent.ClaimFailed.class).failure().code())
                        .isEqualTo("no_answer");
                clock.advanceWhenAsleep(1, Duration.ZERO);
                assertThat(clock.lastSleep()).isEqualTo(Duration.ofSeconds(2));
                through.create(NewTask.ofType("t").build());
                clock.advanceWhenAsleep(1, Duration.ofSeconds(2));
                next(WorkerEvent.Completed.class);
            }
        }
    }
}
