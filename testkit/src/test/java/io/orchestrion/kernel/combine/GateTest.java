package io.orchestrion.kernel.combine;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// On a clock that stands still unless a test moves it, so that nobody loses patience by chance.
class GateTest {
    private static final Duration SOON = Duration.ofSeconds(30);
    private static final int LARGE = 64;

    private final AtomicLong clock = new AtomicLong();
    private final Gate gate = new Gate(2, LARGE, clock::get);
    private final List<String> entered = new CopyOnWriteArrayList<>();
    private final ExecutorService threads = Executors.newCachedThreadPool();

    @AfterEach
    void close() {
        threads.shutdownNow();
    }

    private Gate.Pass of(int size) {
        return gate.pass(() -> size);
    }

    /// Returns when it waits, unless it may go at once.
    private Future<?> entering(String name, Gate.Pass pass) {
        int before = gate.waitingNow();
        Future<?> entering =
                threads.submit(
                        () -> {
                            pass.enter();
                            entered.add(name);
                            return null;
                        });
        Until.isTrue(
                name + " waits or went",
                SOON,
                () -> gate.waitingNow() > before || entering.isDone());
        return entering;
    }

    @Test
    void a_lone_request_goes_at_once() throws Exception {
        Gate.Pass lone = of(1);
        lone.enter();
        assertThat(gate.runningNow()).isEqualTo(1);
        lone.leave();
        assertThat(gate.runningNow()).isZero();
        assertThat(gate.underWay()).isZero();
    }

    @Test
    void a_place_is_given_back_once() throws Exception {
        Gate.Pass first = of(1);
        Gate.Pass second = of(2);
        first.enter();
        first.toCommit();
        first.leave();
        second.enter();
        first.toCommit();
        first.leave();
        assertThat(gate.runningNow()).isEqualTo(1);
        assertThat(gate.underWay()).isEqualTo(2);
    }

    @Test
    void the_next_batch_runs_while_one_commits() throws Exception {
        Gate.Pass first = of(1);
        Gate.Pass second = of(1);
        first.enter();
        first.toCommit();
        second.enter();
        assertThat(gate.runningNow()).isEqualTo(1);
        assertThat(gate.underWay()).isEqualTo(2);
    }

    @Test
    void the_largest_of_those_who_wait_goes_next() throws Exception {
        Gate.Pass first = of(1);
        Gate.Pass larger = of(5);
        first.enter();
        entering("small", of(2));
        Future<?> next = entering("larger", larger);
        first.toCommit();
        next.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(entered).containsExactly("larger");
        assertThat(gate.waitingNow()).isEqualTo(1);
        larger.toCommit();
        Until.isTrue("the small one goes", SOON, () -> entered.contains("small"));
    }

    @Test
    void who_is_overdue_goes_before_larger_ones() throws Exception {
        Gate.Pass first = of(1);
        first.enter();
        Future<?> next = entering("small", of(2));
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(9));
        entering("larger", of(5));
        first.toCommit();
        next.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(entered).containsExactly("small");
    }

    @Test
    void a_large_batch_runs_beside_another_and_a_third_waits() throws Exception {
        of(1).enter();
        of(LARGE).enter();
        assertThat(gate.runningNow()).isEqualTo(2);
        entering("third", of(LARGE));
        assertThat(entered).isEmpty();
    }

    @Test
    void an_open_gate_holds_up_nobody() throws Exception {
        Gate open = Gate.open();
        for (int i = 1; i <= 20; i++) {
            open.pass(() -> 1).enter();
            assertThat(open.runningNow()).isEqualTo(i);
        }
    }

    @Test
    void those_who_are_about_to_come_back_are_waited_for_for_a_moment() throws Exception {
        Gate.Pass crowd = of(40);
        crowd.enter();
        crowd.toCommit();
        crowd.leave();
        Future<?> few = entering("few", of(3));
        assertThat(few).isNotDone();
        clock.addAndGet(TimeUnit.MICROSECONDS.toNanos(500));
        few.get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void a_good_part_of_the_crowd_waits_for_nobody() throws Exception {
        Gate.Pass crowd = of(40);
        crowd.enter();
        crowd.leave();
        Gate.Pass part = of(10);
        part.enter();
        assertThat(gate.underWay()).isEqualTo(10);
    }

    @Test
    void a_crowd_of_a_while_ago_is_not_waited_for() throws Exception {
        Gate.Pass crowd = of(40);
        crowd.enter();
        crowd.leave();
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(101));
        Gate.Pass few = of(1);
        few.enter();
        assertThat(gate.underWay()).isEqualTo(1);
    }

    @Test
    void whoever_is_held_up_goes_on_without_a_place() throws Exception {
        Gate.Pass hanging = of(1);
        Gate.Pass other = of(1);
        hanging.enter();
        Future<?> next = entering("other", other);
        // The first never leaves.
        clock.addAndGet(TimeUnit.MILLISECONDS.toNanos(20));
        next.get(SOON.toSeconds(), TimeUnit.SECONDS);
        assertThat(gate.runningNow()).isEqualTo(2);
        other.leave();
        assertThat(gate.runningNow()).isEqualTo(1);
        hanging.leave();
        assertThat(gate.runningNow()).isZero();
        assertThat(gate.underWay()).isZero();
    }
}
