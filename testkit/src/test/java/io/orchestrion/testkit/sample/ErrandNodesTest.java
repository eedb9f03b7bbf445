package io.orchestrion.testkit.sample;

import static io.orchestrion.testkit.sample.ErrandFixture.until;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.testkit.HookReceiver;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.sample.Errand.State;
import io.orchestrion.testkit.sample.Errand.Step;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/// Several nodes on one database have the same errands, and each thing is done once.
class ErrandNodesTest {
    private final ErrandFixture fixture = new ErrandFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    private void assertCalled(int times, UUID id) {
        assertThat(fixture.receiver.got("/call"))
                .hasSize(times)
                .allMatch(got -> got.header("Idempotency-Key").equals(id + ".errand_call"));
    }

    @Test
    void a_timer_fires_once_and_a_call_is_made_once_whichever_nodes_look() {
        UUID id = fixture.create();
        fixture.complete(fixture.claim());
        try (Kernel other = fixture.anotherNode()) {
            var _ = new Errands(other);
            List<Kernel> nodes = List.of(fixture.test.kernel(), other);
            assertThat(sweep(nodes, "due-promoter")).isZero();
            fixture.advance(ErrandFixture.REST);
            assertThat(sweep(nodes, "due-promoter")).isEqualTo(1);
            assertThat(fixture.step(id)).isEqualTo(Step.CALL);
            assertThat(sweep(nodes, "errand-calls")).isEqualTo(1);
            until("it is over", () -> fixture.state(id) == State.SUCCEEDED);
        }
        assertCalled(1, id);
        assertThat(fixture.told(id)).containsExactly("running", "succeeded");
    }

    /// All of them at the same moment, several times.
    private static int sweep(List<Kernel> nodes, String duty) {
        return Parallel.run(
                        4,
                        i ->
                                () -> {
                                    int done = 0;
                                    for (int pass = 0; pass < 3; pass++) {
                                        done += nodes.get(i % nodes.size()).sweepOnce(duty);
                                    }
                                    return done;
                                })
                .stream()
                .mapToInt(Integer::intValue)
                .sum();
    }

    /// A node that says nothing any more, and comes back when all is over.
    @Test
    void a_call_of_a_node_that_was_lost_is_made_by_another_one_with_the_same_key() {
        var back = new CountDownLatch(1);
        firstCall(back);
        UUID id = fixture.create();
        fixture.toTheCall(id);
        assertThat(fixture.sweep("errand-calls")).isEqualTo(1);
        fixture.receiver.await("/call", 1);
        try (Kernel other = fixture.anotherNode()) {
            var _ = new Errands(other);
            fixture.advance(Duration.ofSeconds(31));
            assertThat(other.sweepOnce("lease-reaper")).isEqualTo(1);
            assertThat(other.sweepOnce("errand-calls")).as("before its backoff").isZero();
            fixture.advance(Duration.ofSeconds(6));
            other.sweepOnce("due-promoter");
            assertThat(other.sweepOnce("errand-calls")).isEqualTo(1);
            until("it is over", () -> fixture.state(id) == State.SUCCEEDED);
        }
        back.countDown();
        awaitIdle(fixture.test.kernel());
        assertCalled(2, id);
        assertThat(fixture.told(id)).containsExactly("running", "succeeded");
    }

    @Test
    void a_call_of_a_node_that_stops_is_made_by_another_one_with_the_same_key() {
        var back = new CountDownLatch(1);
        firstCall(back);
        UUID id = fixture.create();
        fixture.toTheCall(id);
        Kernel stopping = fixture.anotherNode();
        try (stopping) {
            var _ = new Errands(stopping);
            assertThat(stopping.sweepOnce("errand-calls")).isEqualTo(1);
            fixture.receiver.await("/call", 1);
        }
        // Where it could not say so in time, its lease has run out.
        fixture.advance(Duration.ofSeconds(37));
        fixture.sweep("lease-reaper");
        fixture.later(Duration.ofSeconds(6));
        fixture.callUntil(id, State.SUCCEEDED);
        assertCalled(2, id);
        back.countDown();
    }

    /// Before the clock is moved on: a call that is under way would lose its lease.
    private static void awaitIdle(Kernel node) {
        until("no call is under way", () -> node.pool().statuses().getFirst().busy() == 0);
    }

    /// The first request is answered when it is let go, all others at once.
    private void firstCall(CountDownLatch back) {
        var calls = new AtomicInteger();
        fixture.receiver.on(
                "/call",
                (_, out) -> {
                    if (calls.incrementAndGet() == 1) {
                        back.await();
                    }
                    HookReceiver.say(out, 200, "done");
                });
    }

    @Test
    void a_cancel_breaks_off_the_call_that_is_under_way() {
        fixture.receiver.hanging("/call");
        UUID id = fixture.create();
        fixture.toTheCall(id);
        assertThat(fixture.sweep("errand-calls")).isEqualTo(1);
        fixture.receiver.await("/call", 1);
        assertThat(fixture.errands.cancel(fixture.account, id)).isTrue();
        fixture.sweep("lease-keeper");
        awaitIdle(fixture.test.kernel());
        assertThat(fixture.told(id)).containsExactly("running", "cancelled");
        assertCalled(1, id);
    }

    @Test
    void a_call_that_is_refused_for_now_is_made_again_with_the_same_key() {
        var calls = new AtomicInteger();
        fixture.receiver.on(
                "/call",
                (_, out) ->
                        HookReceiver.say(
                                out, calls.incrementAndGet() < 3 ? 503 : 200, "x".repeat(5000)));
        UUID id = fixture.create();
        fixture.toTheCall(id);
        until(
                "it is over",
                () -> {
                    fixture.later(Duration.ofSeconds(11));
                    fixture.sweep("errand-calls");
                    awaitIdle(fixture.test.kernel());
                    return fixture.state(id) == State.SUCCEEDED;
                });
        assertCalled(3, id);
        assertThat(fixture.lines(id).getLast().event().data()).hasSizeLessThan(1100);
    }

    /// Workers on both nodes, while errands are paused and resumed by whoever comes. Between the
    /// phases the time of rests is over.
    @Test
    void errands_that_are_paused_and_resumed_all_the_time_end_once_and_tell_it_in_order() {
        long seed = new Random().nextLong();
        System.out.println("ErrandNodesTest seed " + seed);
        var ids = new ArrayList<UUID>();
        for (int i = 0; i < 6; i++) {
            ids.add(fixture.create());
        }
        try (Kernel other = fixture.anotherNode()) {
            List<Errands> engines = List.of(fixture.errands, new Errands(other));
            List<Kernel> nodes = List.of(fixture.test.kernel(), other);
            for (int phase = 0; phase < 3; phase++) {
                long mine = seed + 10L * phase;
                Parallel.run(
                        6,
                        i ->
                                () -> {
                                    var random = new Random(mine + i);
                                    for (int n = 0; n < 15; n++) {
                                        move(nodes.get(i % 2), engines.get(i % 2), ids, random);
                                    }
                                    return null;
                                });
                nodes.forEach(ErrandNodesTest::awaitIdle);
                fixture.later(ErrandFixture.REST);
            }
            until(
                    "all are over",
                    () -> {
                        ids.forEach(id -> fixture.errands.resume(fixture.account, id));
                        fixture.claim(5).forEach(fixture::complete);
                        fixture.later(ErrandFixture.REST);
                        other.sweepOnce("errand-calls");
                        awaitIdle(other);
                        return ids.stream().allMatch(id -> fixture.state(id) == State.SUCCEEDED);
                    });
        }
        for (UUID id : ids) {
            List<String> told = fixture.told(id);
            assertThat(told).as("seed %d", seed).endsWith("succeeded").startsWith("running");
            assertThat(told).filteredOn(word -> word.equals("succeeded")).hasSize(1);
            assertThat(fixture.lines(id).getLast().event().seq()).isEqualTo(told.size());
        }
        assertThat(fixture.receiver.got("/call")).hasSize(6);
    }

    private void move(Kernel node, Errands engine, List<UUID> ids, Random random) {
        UUID id = ids.get(random.nextInt(ids.size()));
        switch (random.nextInt(6)) {
            case 0, 1 -> engine.pause(fixture.account, id);
            case 2, 3 -> engine.resume(fixture.account, id);
            case 4 -> fixture.claim(1).forEach(fixture::complete);
            default -> {
                node.sweepOnce("due-promoter");
                node.sweepOnce("errand-calls");
            }
        }
    }
}
