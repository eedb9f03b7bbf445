package io.orchestrion.sdk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.orchestrion.sdk.ScriptedServer.Asked;
import io.orchestrion.sdk.ScriptedServer.Told;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/// The worker's runtime on tasks, with answers that no server of ours gives by itself.
@Timeout(180)
class TaskWorkerTest {
    private static final UUID ID = UUID.fromString("01890000-0000-7000-8000-000000000001");
    private static final UUID TOKEN = UUID.fromString("01890000-0000-7000-8000-00000000000a");

    private final BlockingQueue<WorkerEvent<Task>> events = new LinkedBlockingQueue<>();
    private final BlockingQueue<String> directives = new LinkedBlockingQueue<>();
    private final Semaphore heard = new Semaphore(0);

    /// Each heartbeat is due when the test says so.
    private final Semaphore beats = new Semaphore(0);

    private final MonotonicClock clock =
            new MonotonicClock() {
                private long nanos;

                @Override
                public synchronized long nanos() {
                    return nanos;
                }

                @Override
                public void sleep(Duration duration) throws InterruptedException {
                    beats.acquire();
                    synchronized (this) {
                        nanos += duration.toNanos();
                    }
                }
            };

    private static String task(String status) {
        return """
        {"id":"%s","type":"t","status":"%s","priority":0,"attemptCount":2,"maxAttempts":3,
         "leaseDurationSeconds":30,"createdAt":"2030-01-01T00:00:00Z",
         "updatedAt":"2030-01-01T00:00:00Z","payload":{},"correlationId":"order-7"}
        """
                .formatted(ID, status);
    }

    private static Told answer(String status, String more) {
        return Told.of(200, "{\"task\":" + task(status) + more + ",\"agent_contract\":{}}");
    }

    private static Told refusal(int status, String error) {
        return Told.of(
                status,
                """
                {"error":"%s","message":"No.","request_id":"r","agent_contract":{"retryable":false}}
                """
                        .formatted(error));
    }

    private Told heartbeat() {
        String now = directives.poll();
        heard.release();
        return answer("claimed", ",\"directives\":" + (now == null ? "{}" : now));
    }

    /// Claims and heartbeats go well; the rest is the test's to say.
    private ScriptedServer server(Function<Asked, Told> outcome) {
        return new ScriptedServer(
                asked ->
                        asked.path().endsWith("/claim")
                                ? answer("claimed", ",\"leaseToken\":\"" + TOKEN + "\"")
                                : asked.path().endsWith("/heartbeat")
                                        ? heartbeat()
                                        : outcome.apply(asked));
    }

    private Worker.Builder worker(OrchestrionClient client) {
        return Worker.builder(client).type("t").once().clock(clock).listener(events::add);
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

    private static String lastBody(ScriptedServer server) {
        return server.asked.getLast().body().toString();
    }

    @Test
    void a_handler_is_interrupted_by_a_request_to_cancel_and_the_server_hears_that_it_ended()
            throws Exception {
        try (var server = server(_ -> answer("cancelled", ""));
                var client = server.client("k");
                Worker _ =
                        worker(client)
                                .handler(
                                        (_, context) -> {
                                            context.usage("{\"tokens\":3}");
                                            new CountDownLatch(1).await();
                                            return null;
                                        })
                                .start()) {
            directives.add("{\"cancel_requested\":true}");
            beats.release();
            assertThat(next(WorkerEvent.Directed.class).directives().cancelRequested()).isTrue();
            next(WorkerEvent.Cancelled.class);
            assertThat(lastBody(server))
                    .isEqualTo(
                            "{\"leaseToken\":\"%s\",\"lastFailureReason\":\"The worker has given it"
                                            .formatted(TOKEN)
                                    + " up, as was asked for.\",\"usage\":{\"tokens\":3}}");
        }
    }

    @Test
    void what_a_cancelled_handler_says_on_purpose_is_told() throws Exception {
        try (var server = server(_ -> answer("cancelled", ""));
                var client = server.client("k");
                Worker _ =
                        worker(client)
                                .handler(
                                        _ -> {
                                            try {
                                                new CountDownLatch(1).await();
                                                return null;
                                            } catch (InterruptedException e) {
                                                throw TaskFailure.partialSideEffect("charged")
                                                        .causedBy(e);
                                            }
                                        })
                                .start()) {
            directives.add("{\"cancel_requested\":true}");
            beats.release();
            next(WorkerEvent.Cancelled.class);
            assertThat(lastBody(server))
                    .contains("\"lastFailureReason\":\"charged\"", "\"partial_side_effect\":true");
        }
    }

    /// The heartbeats go on while a listener of the handler's, and one of the worker's, hang.
    @Test
    void nobody_who_listens_holds_up_a_heartbeat_and_calls_are_made_in_order() throws Exception {
        var go = new CountDownLatch(1);
        var done = new CountDownLatch(1);
        List<Boolean> calls = new CopyOnWriteArrayList<>();
        List<WorkerEvent<Task>> told = new CopyOnWriteArrayList<>();
        try (var server = server(_ -> answer("completed", ""));
                var client = server.client("k");
                Worker worker =
                        worker(client)
                                .listener(
                                        event -> {
                                            if (event instanceof WorkerEvent.Directed<Task>) {
                                                await(go);
                                            }
                                            told.add(event);
                                        })
                                .handler(
                                        (_, context) -> {
                                            context.onDirectives(
                                                    now -> {
                                                        await(go);
                                                        calls.add(now.pauseRequested());
                                                        if (calls.size() == 3) {
                                                            done.countDown();
                                                        }
                                                    });
                                            done.await();
                                            return null;
                                        })
                                .start()) {
            try {
                for (boolean pause : new boolean[] {true, true, false, true}) {
                    directives.add("{\"pause_requested\":" + pause + "}");
                    beats.release();
                    assertThat(heard.tryAcquire(30, TimeUnit.SECONDS)).isTrue();
                }
                assertThat(calls).isEmpty();
            } finally {
                go.countDown();
            }
            assertThat(done.await(30, TimeUnit.SECONDS)).isTrue();
            worker.await();
        }
        assertThat(calls).containsExactly(true, false, true);
        assertThat(told)
                .extracting(event -> event.getClass().getSimpleName())
                .containsExactly("Claimed", "Directed", "Directed", "Directed", "Completed");
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void who_listens_late_hears_what_was_asked_before_and_a_failing_listener_harms_nobody()
            throws Exception {
        var go = new CountDownLatch(1);
        BlockingQueue<Directives> calls = new LinkedBlockingQueue<>();
        try (var server = server(_ -> answer("completed", ""));
                var client = server.client("k");
                Worker _ =
                        worker(client)
                                .handler(
                                        (_, context) -> {
                                            go.await();
                                            context.onDirectives(
                                                    _ -> {
                                                        throw new IllegalStateException("not me");
                                                    });
                                            context.onDirectives(calls::add);
                                            calls.take();
                                            return "{\"pause\":" + context.pauseRequested() + "}";
                                        })
                                .start()) {
            directives.add("{\"pause_requested\":true}");
            beats.release();
            next(WorkerEvent.Directed.class);
            go.countDown();
            next(WorkerEvent.Completed.class);
            assertThat(lastBody(server)).contains("\"result\":{\"pause\":true}");
        }
    }

    /// Whatever the client did not know of the server's bounds.
    @Test
    void a_report_that_the_server_refuses_does_not_cost_the_outcome() throws Exception {
        Function<Asked, Told> picky =
                asked ->
                        asked.body().has("usage")
                                ? refusal(400, "invalid_request")
                                : answer("completed", "");
        try (var server = server(picky);
                var client = server.client("k");
                Worker worker =
                        worker(client)
                                .handler(
                                        (_, context) -> {
                                            context.usage("{\"tokens\":1}");
                                            return "{\"a\":1}";
                                        })
                                .start()) {
            next(WorkerEvent.Completed.class);
            worker.await();
            assertThat(lastBody(server))
                    .isEqualTo("{\"leaseToken\":\"%s\",\"result\":{\"a\":1}}".formatted(TOKEN));
        }
        try (var server = server(picky);
                var client = server.client("k");
                Worker _ =
                        worker(client)
                                .handler(
                                        _ -> {
                                            throw TaskFailure.of("c", "no luck")
                                                    .withUsage("{\"tokens\":1}");
                                        })
                                .start()) {
            assertThat(next(WorkerEvent.Failed.class).reason()).isEqualTo("no luck");
            assertThat(lastBody(server))
                    .isEqualTo(
                            "{\"leaseToken\":\"%s\",\"lastFailureReason\":\"no luck\"}"
                                    .formatted(TOKEN));
        }
    }

    /// A second report that differs from the first would be no repeat of it.
    @Test
    void a_context_takes_nothing_more_when_its_handler_has_ended() throws Exception {
        var kept = new LinkedBlockingQueue<TaskContext>();
        try (var server = server(_ -> answer("completed", ""));
                var client = server.client("k");
                Worker _ =
                        worker(client)
                                .handler(
                                        (_, context) -> {
                                            kept.add(context);
                                            return null;
                                        })
                                .start()) {
            next(WorkerEvent.Completed.class);
            TaskContext context = kept.take();
            assertThat(context.attempt()).isEqualTo(2);
            assertThat(context.correlationId()).isEqualTo("order-7");
            assertThat(context.claimed().leaseToken()).isEqualTo(TOKEN);
            assertThatIllegalStateException().isThrownBy(() -> context.usage("{}"));
            assertThatIllegalStateException().isThrownBy(() -> context.logsRef("l"));
        }
    }
}
