package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/// Two nodes that change one execution at the same time.
class NodeRaceTest {
    private static final int ROUNDS = 12;

    private final OrchestrationFixture fixture = new OrchestrationFixture();
    private final OrchestrationFixture.Node other = fixture.secondNode();

    @AfterEach
    void close() {
        other.close();
        fixture.close();
    }

    private record Both<A, B>(A first, B second) {}

    private static <A, B> Both<A, B> atOnce(Callable<A> first, Callable<B> second)
            throws InterruptedException, ExecutionException, TimeoutException {
        var barrier = new CyclicBarrier(2);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<A> one =
                    threads.submit(
                            () -> {
                                barrier.await();
                                return first.call();
                            });
            Future<B> two =
                    threads.submit(
                            () -> {
                                barrier.await();
                                return second.call();
                            });
            return new Both<>(one.get(60, TimeUnit.SECONDS), two.get(60, TimeUnit.SECONDS));
        }
    }

    private List<String> changes(UUID id) {
        return fixture.seen(id).transitions().stream()
                .map(line -> line.event().from() + " -> " + line.event().to())
                .toList();
    }

    /// E-096, E-082.
    @Test
    void a_cancel_and_the_last_completion_have_one_winner() throws Exception {
        UUID definition = fixture.published(Documents.of(Documents.task("a", "")));
        for (int round = 0; round < ROUNDS; round++) {
            UUID id = fixture.start(definition, "{}").id();
            WorkItem held = fixture.claim("do_a");
            var both =
                    atOnce(
                            () -> other.engine().executions().cancel(fixture.request(id)),
                            () -> fixture.complete(held, "{}"));

            boolean completed = both.second() instanceof io.orchestrion.kernel.work.Ack.Applied;
            assertThat(both.first())
                    .isInstanceOf(completed ? Ack.WrongStatus.class : Ack.Done.class);
            assertThat(changes(id))
                    .containsExactly(
                            "null -> running",
                            completed ? "running -> succeeded" : "running -> canceled");
            assertThat(fixture.history(id))
                    .containsExactly(completed ? "a#1 succeeded" : "a#1 failed");
        }
    }

    /// E-096, E-089.
    @Test
    void a_pause_and_the_last_completion_come_in_one_order_or_the_other() throws Exception {
        UUID definition = fixture.published(Documents.of(Documents.task("a", "")));
        for (int round = 0; round < ROUNDS; round++) {
            UUID id = fixture.start(definition, "{}").id();
            WorkItem held = fixture.claim("do_a");
            var both =
                    atOnce(
                            () -> other.engine().executions().pause(fixture.request(id)),
                            () -> fixture.complete(held, "{}"));

            assertThat(both.second()).isInstanceOf(io.orchestrion.kernel.work.Ack.Applied.class);
            boolean paused = both.first() instanceof Ack.Done;
            assertThat(changes(id))
                    .containsExactly(
                            "null -> running",
                            paused ? "running -> paused" : "running -> succeeded");
            assertThat(fixture.history(id)).containsExactly("a#1 succeeded");
            if (paused) {
                other.engine().executions().resume(fixture.request(id));
                assertThat(fixture.status(id)).isEqualTo(ExecutionStatus.SUCCEEDED);
            }
        }
    }

    /// E-096, E-215, E-216.
    @Test
    void of_two_retries_one_begins_the_step() throws Exception {
        UUID definition = fixture.published(Documents.of(Documents.task("a", "")));
        for (int round = 0; round < ROUNDS; round++) {
            UUID id = fixture.start(definition, "{}").id();
            fixture.fail(fixture.claim("do_a"), "validation_failed");
            var both =
                    atOnce(
                            () ->
                                    other.engine()
                                            .executions()
                                            .retry(fixture.request(id), null, false),
                            () ->
                                    fixture.engine
                                            .executions()
                                            .retry(fixture.request(id), "a", false));

            assertThat(List.of(both.first(), both.second()))
                    .hasAtLeastOneElementOfType(Ack.Done.class)
                    .hasAtLeastOneElementOfType(Ack.WrongStatus.class);
            assertThat(fixture.execution(id).attemptCount()).isEqualTo(2);
            assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 pending");
            assertThat(fixture.claim("do_a", 10)).hasSize(1);
            fixture.engine.executions().cancel(fixture.request(id));
        }
    }

    /// E-096, E-223.
    @Test
    void of_a_retry_and_a_reprocessing_one_begins_the_step() throws Exception {
        UUID definition = fixture.published(Documents.of(Documents.task("a", "")));
        for (int round = 0; round < ROUNDS; round++) {
            UUID id = fixture.start(definition, "{}").id();
            fixture.fail(fixture.claim("do_a"), "validation_failed");
            DeadLetter letter = fixture.letters(id).getFirst();
            var both =
                    atOnce(
                            () ->
                                    other.engine()
                                            .deadLetters()
                                            .reprocess(
                                                    new DeadLetters.Request(
                                                            fixture.account,
                                                            letter.id(),
                                                            fixture.person,
                                                            "again"),
                                                    false),
                            () ->
                                    fixture.engine
                                            .executions()
                                            .retry(fixture.request(id), null, false));

            boolean reprocessed = both.first() instanceof DeadLetters.Handled.Done;
            assertThat(both.second())
                    .isInstanceOf(reprocessed ? Ack.WrongStatus.class : Ack.Done.class);
            assertThat(fixture.history(id)).containsExactly("a#1 failed", "a#2 pending");
            assertThat(fixture.letters(id))
                    .extracting(each -> each.status().word())
                    .containsExactly("reprocessed");
            fixture.engine.executions().cancel(fixture.request(id));
        }
    }
}
