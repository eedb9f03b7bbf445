package io.orchestrion.app.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.identity.Registration;
import io.orchestrion.sdk.ContextHandler;
import io.orchestrion.sdk.Directives;
import io.orchestrion.sdk.NewTask;
import io.orchestrion.sdk.OrchestrionClient;
import io.orchestrion.sdk.Task;
import io.orchestrion.sdk.TaskFailure;
import io.orchestrion.sdk.TaskReport;
import io.orchestrion.sdk.TaskReport.ReportedError;
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

/// What a handler is told while it works, and what it reports beside its result.
@Timeout(180)
class TaskContextTest {
    /// A third of the lease of a step.
    private static final Duration HEARTBEAT = Duration.ofSeconds(20);

    private static ClientServer server;
    private final BlockingQueue<WorkerEvent<Task>> events = new LinkedBlockingQueue<>();
    private final HandMovedClock clock = new HandMovedClock();
    private EngineSteps steps;
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
        Registration account = server.newAccount();
        steps = server.steps(account);
        client = OrchestrionClient.of(server.url(), account.key().reveal());
    }

    @AfterEach
    void disconnect() {
        client.close();
    }

    private Worker works(ContextHandler handler) {
        return Worker.builder(client)
                .types(List.of("step", "t"))
                .workerId("w")
                .once()
                .clock(clock)
                .listener(events::add)
                .handler(handler)
                .start();
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
    void a_handler_knows_which_attempt_it_makes_and_what_it_is_a_part_of() throws Exception {
        UUID id = client.create(NewTask.ofType("t").correlationId("order-7").build()).id();
        client.fail(client.claim(id, "w"), "once");
        try (Worker _ =
                works(
                        (task, context) -> {
                            assertThat(context.claimed().task()).isEqualTo(task);
                            assertThat(context.leaseExpiresAt()).isEqualTo(task.leaseExpiresAt());
                            assertThat(context.directives()).isEqualTo(Directives.NONE);
                            return "{\"attempt\":%d,\"of\":\"%s\"}"
                                    .formatted(context.attempt(), context.correlationId());
                        })) {
            next(WorkerEvent.Completed.class);
        }
        assertThat(client.get(id).resultJson().toString())
                .isEqualTo("{\"attempt\":2,\"of\":\"order-7\"}");
    }

    @Test
    void a_handler_sees_that_it_is_asked_to_pause_and_what_it_returns_counts() throws Exception {
        UUID id = steps.created();
        var paused = new LinkedBlockingQueue<Boolean>();
        var go = new CountDownLatch(1);
        var claimedUntil = new LinkedBlockingQueue<Instant>();
        try (Worker _ =
                works(
                        (task, context) -> {
                            claimedUntil.add(task.leaseExpiresAt());
                            context.onDirectives(now -> paused.add(now.pauseRequested()));
                            go.await();
                            assertThat(context.leaseExpiresAt()).isAfter(task.leaseExpiresAt());
                            return "{\"halted\":" + context.pauseRequested() + "}";
                        })) {
            next(WorkerEvent.Claimed.class);
            server.clock().advance(HEARTBEAT);
            steps.pause(id, true);
            clock.advanceWhenAsleep(1, HEARTBEAT);
            assertThat(paused.take()).isTrue();
            steps.pause(id, false);
            clock.advanceWhenAsleep(1, HEARTBEAT);
            assertThat(paused.take()).isFalse();
            steps.pause(id, true);
            clock.advanceWhenAsleep(1, HEARTBEAT);
            assertThat(paused.take()).isTrue();
            assertThat(next(WorkerEvent.Directed.class).directives().pauseRequested()).isTrue();
            go.countDown();
            next(WorkerEvent.Completed.class);
        }
        Task done = client.get(id);
        assertThat(done.status()).isEqualTo(TaskStatus.COMPLETED);
        assertThat(done.resultJson().path("halted").booleanValue()).isTrue();
    }

    @Test
    void a_revoked_lease_interrupts_the_handler_and_nothing_is_reported() throws Exception {
        UUID id = steps.created();
        var interrupted = new CountDownLatch(1);
        try (Worker _ =
                works(
                        (_, context) -> {
                            context.usage("{\"tokens\":1}");
                            try {
                                new CountDownLatch(1).await();
                                return null;
                            } catch (InterruptedException e) {
                                interrupted.countDown();
                                throw e;
                            }
                        })) {
            next(WorkerEvent.Claimed.class);
            steps.cancel(id);
            clock.advanceWhenAsleep(1, HEARTBEAT);
            interrupted.await();
            assertThat(next(WorkerEvent.LeaseLost.class).why()).contains("cancelled", "stop");
        }
        assertThat(client.get(id).status()).isEqualTo(TaskStatus.CANCELLED);
        assertThat(steps.lateReports(id)).isEmpty();
    }

    /// It changes nothing, and the history has it as evidence.
    @Test
    void what_a_handler_says_on_purpose_of_a_revoked_step_is_a_late_report() throws Exception {
        UUID failed = steps.created();
        String error = "{\"code\":\"partial_side_effect\",\"message\":\"charged\",";
        String late = lateReport(failed, TaskFailure.partialSideEffect("charged"), null);
        assertThat(late)
                .isEqualTo(
                        "{\"report\":\"fail\",\"reason\":\"charged\",\"error\":"
                                + error
                                + "\"partial_side_effect\":true},\"usage\":{\"tokens\":1}}");
        UUID done = steps.created();
        assertThat(lateReport(done, null, "{\"a\":1}"))
                .isEqualTo(
                        "{\"report\":\"complete\",\"result\":{\"a\":1},\"usage\":{\"tokens\":1}}");
        assertThat(client.get(done).status()).isEqualTo(TaskStatus.CANCELLED);
    }

    private String lateReport(UUID id, TaskFailure failure, String result) throws Exception {
        try (Worker _ =
                works(
                        (_, context) -> {
                            context.usage("{\"tokens\":1}");
                            try {
                                new CountDownLatch(1).await();
                                return null;
                            } catch (InterruptedException e) {
                                if (failure != null) {
                                    throw failure;
                                }
                                return result;
                            }
                        })) {
            next(WorkerEvent.Claimed.class);
            steps.cancel(id);
            clock.advanceWhenAsleep(1, HEARTBEAT);
            next(WorkerEvent.LeaseLost.class);
        }
        List<String> late = steps.lateReports(id);
        assertThat(late).hasSize(1);
        return late.getFirst();
    }

    private TaskReport reported(ContextHandler handler) throws InterruptedException {
        UUID id = client.create(NewTask.ofType("t").maxAttempts(1).build()).id();
        try (Worker worker = works(handler)) {
            worker.await();
        }
        return client.get(id).reported();
    }

    @Test
    void usage_and_logs_go_with_every_outcome() throws Exception {
        var said = new TaskReport(null, "{\"tokens\":2}", "s3://logs/1");
        ContextHandler says =
                (_, context) -> {
                    context.usage("{\"tokens\":1}");
                    context.logsRef("s3://logs/1");
                    context.usage("{\"tokens\":2}");
                    return null;
                };
        assertThat(reported(says)).isEqualTo(said);
        assertThat(
                        reported(
                                (task, context) -> {
                                    says.handle(task, context);
                                    throw new IllegalStateException("no luck");
                                }))
                .isEqualTo(said);
        assertThat(
                        reported(
                                (task, context) -> {
                                    says.handle(task, context);
                                    throw TaskFailure.invalid("no text")
                                            .withUsage("{\"tokens\":9}");
                                }))
                .isEqualTo(
                        new TaskReport(
                                new ReportedError("invalid", 422, "no text", null, null),
                                "{\"tokens\":9}",
                                "s3://logs/1"));
        assertThat(
                        reported(
                                (task, context) -> {
                                    says.handle(task, context);
                                    return "[1]";
                                }))
                .as("of a result that is not taken")
                .isEqualTo(said);
    }

    @Test
    void usage_that_the_server_would_refuse_fails_where_it_is_said() throws Exception {
        assertThat(
                        reported(
                                (_, context) -> {
                                    context.usage("tokens=1");
                                    return null;
                                }))
                .isEqualTo(TaskReport.NOTHING);
        WorkerEvent.Failed<?> failed = next(WorkerEvent.Failed.class);
        assertThat(failed.reason()).startsWith("usage is not JSON");
        assertThat(failed.error()).isNull();
    }

    @Test
    void a_worker_that_is_stopped_gives_back_with_the_word_that_the_server_has_for_it()
            throws Exception {
        UUID id = client.create(NewTask.ofType("t").build()).id();
        Worker worker =
                works(
                        (_, context) -> {
                            context.usage("{\"tokens\":1}");
                            new CountDownLatch(1).await();
                            return null;
                        });
        next(WorkerEvent.Claimed.class);
        worker.stop();
        assertThat(client.get(id).reported())
                .isEqualTo(
                        new TaskReport(
                                new ReportedError(
                                        "given_back", null, "The worker was stopped.", null, null),
                                "{\"tokens\":1}",
                                null));
    }

    @Test
    void what_a_handler_says_on_purpose_when_its_worker_is_stopped_is_why_its_task_comes_back()
            throws Exception {
        UUID id = client.create(NewTask.ofType("t").build()).id();
        Worker worker =
                works(
                        (_, _) -> {
                            try {
                                new CountDownLatch(1).await();
                                return null;
                            } catch (InterruptedException e) {
                                throw TaskFailure.partialSideEffect("charged").causedBy(e);
                            }
                        });
        next(WorkerEvent.Claimed.class);
        worker.stop();
        assertThat(client.get(id).status()).isEqualTo(TaskStatus.PENDING);
        assertThat(client.get(id).lastFailureReason()).isEqualTo("charged");
        assertThat(client.get(id).reported().error().partialSideEffect()).isTrue();
    }

    @Test
    void the_event_of_a_failure_has_what_was_reported() throws Exception {
        TaskFailure failure = TaskFailure.rateLimited("too busy", Duration.ofMinutes(5));
        reported(
                (_, _) -> {
                    throw failure;
                });
        assertThat(next(WorkerEvent.Failed.class).error()).isEqualTo(failure.report().error());
    }
}
