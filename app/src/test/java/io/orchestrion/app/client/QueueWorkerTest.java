package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.app.client.FaultyProxy.Fault;
import io.orchestrion.sdk.JobEvent;
import io.orchestrion.sdk.JobEventLevel;
import io.orchestrion.sdk.JobFailure;
import io.orchestrion.sdk.JobHandler;
import io.orchestrion.sdk.JobStatus;
import io.orchestrion.sdk.NewJob;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.QueueJob;
import io.orchestrion.sdk.Worker;
import io.orchestrion.sdk.WorkerEvent;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/// The worker's runtime on jobs of the queue.
@Timeout(180)
class QueueWorkerTest {
    private static ClientServer server;
    private final BlockingQueue<WorkerEvent<QueueJob>> events = new LinkedBlockingQueue<>();
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

    private UUID submitted() {
        return client.queue().submit(NewJob.ofType("t")).id();
    }

    private Worker.QueueBuilder worker(OrchestrionClient with) {
        return Worker.ofQueue(with)
                .types(Set.of("t"))
                .workerId("w")
                .lease(Duration.ofSeconds(30))
                .listener(events::add);
    }

    private <T extends WorkerEvent> T next(Class<T> kind) throws InterruptedException {
        while (true) {
            WorkerEvent<QueueJob> event = events.poll(30, TimeUnit.SECONDS);
            assertThat(event).as("a " + kind.getSimpleName()).isNotNull();
            if (kind.isInstance(event)) {
                return kind.cast(event);
            }
        }
    }

    private static JobHandler forEver(CountDownLatch interrupted) {
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
    void what_a_handler_returns_completes_the_job_after_all_that_it_wrote() throws Exception {
        UUID id = submitted();
        try (Worker _ =
                worker(client)
                        .handler(
                                run -> {
                                    run.log().event(JobEventLevel.WARN, "look", "{\"a\":1}");
                                    return "done " + run.job().attempt();
                                })
                        .start()) {
            next(WorkerEvent.Completed.class);
        }
        QueueJob job = client.queue().get(id);
        assertThat(job.status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(job.resultSummary()).isEqualTo("done 1");
        assertThat(client.queue().events(id, null, null).events())
                .anyMatch(
                        event ->
                                event.message().equals("look")
                                        && event.level() == JobEventLevel.WARN
                                        && event.payloadJson().path("a").intValue() == 1);
    }

    @Test
    void what_it_throws_says_whether_there_is_another_attempt() throws Exception {
        UUID id = submitted();
        try (Worker _ =
                worker(client)
                        .handler(
                                _ -> {
                                    throw new IllegalStateException("no luck");
                                })
                        .start()) {
            next(WorkerEvent.Failed.class);
            QueueJob job = client.queue().get(id);
            assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
            assertThat(job.errorMessage()).isEqualTo("no luck");
            assertThat(job.nextAttemptAt()).isNotNull();
        }
        client.queue().cancel(id);
        UUID other = submitted();
        try (Worker _ =
                worker(client)
                        .handler(
                                _ -> {
                                    throw new JobFailure("never", false);
                                })
                        .start()) {
            next(WorkerEvent.Failed.class);
            assertThat(client.queue().get(other).status()).isEqualTo(JobStatus.FAILED);
        }
    }

    /// the worker hears of it at its next heartbeat.
    @Test
    void a_cancelled_job_has_its_handler_interrupted_and_is_cancelled_when_that_has_ended()
            throws Exception {
        UUID id = submitted();
        var clock = new HandMovedClock();
        var interrupted = new CountDownLatch(1);
        try (Worker _ = worker(client).clock(clock).handler(forEver(interrupted)).start()) {
            next(WorkerEvent.Claimed.class);
            assertThat(client.queue().cancel(id).cancelRequested()).isTrue();
            clock.advanceWhenAsleep(1, Duration.ofSeconds(10));
            interrupted.await();
            next(WorkerEvent.Cancelled.class);
        }
        assertThat(client.queue().get(id).status()).isEqualTo(JobStatus.CANCELLED);
    }

    @Test
    void heartbeats_keep_the_lease_and_a_lost_one_ends_the_handler() throws Exception {
        UUID id = submitted();
        var clock = new HandMovedClock();
        var interrupted = new CountDownLatch(1);
        try (Worker _ = worker(client).clock(clock).handler(forEver(interrupted)).start()) {
            next(WorkerEvent.Claimed.class);
            for (int i = 0; i < 4; i++) {
                server.clock().advance(Duration.ofSeconds(10));
                clock.advanceWhenAsleep(1, Duration.ofSeconds(10));
            }
            clock.advanceWhenAsleep(1, Duration.ZERO);
            assertThat(client.queue().get(id).attempt()).isEqualTo(1);
            server.clock().advance(Duration.ofSeconds(31));
            clock.advanceWhenAsleep(1, Duration.ofSeconds(10));
            interrupted.await();
            next(WorkerEvent.LeaseLost.class);
        }
        // Nothing was reported of it: it is as the end of its lease has left it.
        assertThat(client.queue().events(id, null, null).events())
                .noneMatch(event -> "failed".equals(event.event()));
    }

    /// More tries than one call has, as long as the lease can last.
    @Test
    void an_outcome_is_reported_when_the_server_is_back() throws Exception {
        var clock = new HandMovedClock();
        String key = server.newKey();
        try (var proxy = new FaultyProxy(server.url());
                var through =
                        OrchestrionClient.builder(proxy.url())
                                .key(key)
                                .retries(new ClientServer.Waits().policy())
                                .build();
                var direct = OrchestrionClient.of(server.url(), key)) {
            UUID id = direct.queue().submit(NewJob.ofType("t")).id();
            var go = new CountDownLatch(1);
            try (Worker _ =
                    worker(through)
                            .clock(clock)
                            .handler(
                                    _ -> {
                                        go.await();
                                        return "late";
                                    })
                            .once()
                            .start()) {
                next(WorkerEvent.Claimed.class);
                proxy.always(Fault.LOSE_REQUEST);
                go.countDown();
                // The keeper and the one who reports.
                clock.advanceWhenAsleep(2, Duration.ofSeconds(1));
                clock.advanceWhenAsleep(2, Duration.ofSeconds(1));
                clock.advanceWhenAsleep(2, Duration.ZERO);
                assertThat(direct.queue().get(id).status()).isEqualTo(JobStatus.RUNNING);
                proxy.always(Fault.PASS);
                clock.advanceWhenAsleep(2, Duration.ofSeconds(1));
                next(WorkerEvent.Completed.class);
            }
            assertThat(direct.queue().get(id).resultSummary()).isEqualTo("late");
        }
    }

    @Test
    void a_worker_that_is_stopped_does_not_wait_for_a_server_to_report_to() throws Exception {
        var clock = new HandMovedClock();
        try (var proxy = new FaultyProxy(server.url());
                var through =
                        OrchestrionClient.builder(proxy.url())
                                .key(server.newKey())
                                .retries(new ClientServer.Waits().policy())
                                .build()) {
            through.queue().submit(NewJob.ofType("t"));
            var go = new CountDownLatch(1);
            Worker worker =
                    worker(through)
                            .clock(clock)
                            .handler(
                                    _ -> {
                                        go.await();
                                        return null;
                                    })
                            .start();
            next(WorkerEvent.Claimed.class);
            proxy.always(Fault.LOSE_REQUEST);
            go.countDown();
            clock.advanceWhenAsleep(2, Duration.ZERO);
            worker.stop();
            next(WorkerEvent.ReportFailed.class);
        }
    }

    @Test
    void stopping_gives_the_job_back_to_be_tried_again() throws Exception {
        UUID id = submitted();
        Worker worker = worker(client).handler(forEver(new CountDownLatch(1))).start();
        next(WorkerEvent.Claimed.class);
        worker.stop();
        QueueJob job = client.queue().get(id);
        assertThat(job.status()).isEqualTo(JobStatus.QUEUED);
        assertThat(job.errorMessage()).isEqualTo("The worker was stopped.");
    }

    @Test
    void one_who_waits_for_work_has_it_at_once_and_once_is_once() throws Exception {
        Worker worker =
                worker(client).longPoll(Duration.ofSeconds(20)).handler(_ -> null).once().start();
        UUID first = submitted();
        UUID second = submitted();
        worker.await();
        next(WorkerEvent.Completed.class);
        assertThat(client.queue().get(first).status()).isEqualTo(JobStatus.SUCCEEDED);
        assertThat(client.queue().get(second).status()).isEqualTo(JobStatus.QUEUED);
        worker.close();
    }

    @Test
    void one_who_waits_for_work_is_closed_without_waiting_on() throws Exception {
        var longest = Duration.ofSeconds(30);
        Worker worker = worker(client).longPoll(longest).handler(_ -> null).start();
        submitted();
        next(WorkerEvent.Completed.class);
        long began = System.nanoTime();
        worker.close();
        assertThat(Duration.ofNanos(System.nanoTime() - began)).isLessThan(longest.dividedBy(2));
    }

    /// A server that does not wait is not asked without end.
    @Test
    void with_nothing_to_do_it_asks_again_after_a_while() throws Exception {
        var clock = new HandMovedClock();
        try (Worker _ = worker(client).clock(clock).random(() -> 0).handler(_ -> null).start()) {
            clock.advanceWhenAsleep(1, Duration.ZERO);
            next(WorkerEvent.Idle.class);
            assertThat(clock.lastSleep()).isEqualTo(Duration.ofSeconds(5));
            submitted();
            clock.advanceWhenAsleep(1, Duration.ofSeconds(5));
            next(WorkerEvent.Completed.class);
        }
    }

    @Test
    void a_log_is_followed_while_the_job_runs() throws Exception {
        UUID id = submitted();
        var seen = new LinkedBlockingQueue<String>();
        var go = new CountDownLatch(1);
        try (Worker _ =
                worker(client)
                        .handler(
                                run -> {
                                    run.log().event(JobEventLevel.INFO, "first", null);
                                    go.await();
                                    run.log().event(JobEventLevel.INFO, "second", null);
                                    return null;
                                })
                        .start()) {
            Thread follower =
                    Thread.ofVirtual()
                            .start(() -> client.queue().follow(id, null, e -> seen.add(said(e))));
            while (!seen.take().equals("first")) {}
            go.countDown();
            follower.join();
        }
        assertThat(seen).contains("second").doesNotContain("first");
        assertThat(seen.stream().toList().getLast()).startsWith("completed");
    }

    private static String said(JobEvent event) {
        return event.message();
    }
}
