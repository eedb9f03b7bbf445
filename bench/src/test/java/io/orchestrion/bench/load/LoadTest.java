package io.orchestrion.bench.load;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

class LoadTest {
    private final AtomicInteger begun = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();
    private final Load.Window window =
            new Load.Window() {
                @Override
                public void begins() {
                    begun.incrementAndGet();
                }

                @Override
                public void ends() {
                    ended.incrementAndGet();
                }
            };

    /// Stands still for the given time, as a server that stalls would.
    private static void stall(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            Thread.onSpinWait();
        }
    }

    @Test
    void a_closed_loop_counts_what_ended_within_the_window() throws Exception {
        var steps = new AtomicInteger();
        Load.Outcome outcome =
                new Load(Duration.ofMillis(50), Duration.ofMillis(200), window)
                        .closed(
                                2,
                                _ ->
                                        (into, due) -> {
                                            steps.incrementAndGet();
                                            stall(Duration.ofMillis(1));
                                            into.record("step", due);
                                            return 3;
                                        });
        assertThat(begun).hasValue(1);
        assertThat(ended).hasValue(1);
        assertThat(outcome.done()).isPositive().isLessThan(3L * steps.get());
        assertThat(outcome.done() % 3).isZero();
        assertThat(outcome.seconds()).isGreaterThanOrEqualTo(0.2);
        var times = outcome.latencies().percentiles().get("step");
        assertThat(times.p50()).isGreaterThanOrEqualTo(1);
        assertThat(times.count()).isLessThan(steps.get());
    }

    /// Coordinated omission: one stall of a lone worker must show in all that it kept waiting.
    @Test
    void an_open_loop_charges_a_stall_to_all_that_was_due_in_it() throws Exception {
        var first = new AtomicInteger();
        Load.Outcome outcome =
                new Load(Duration.ZERO, Duration.ofMillis(400), window)
                        .open(
                                1,
                                200,
                                _ ->
                                        (into, due) -> {
                                            if (first.getAndIncrement() == 3) {
                                                stall(Duration.ofMillis(200));
                                            }
                                            into.record("step", due);
                                            return 1;
                                        });
        var times = outcome.latencies().percentiles().get("step");
        // Forty were due while it stood still; a closed loop would have seen one slow step.
        assertThat(times.p95()).isGreaterThan(100);
        assertThat(times.p50()).isLessThan(200);
        assertThat(outcome.done()).isLessThan(TimeUnit.SECONDS.toMillis(1) / 5);
    }

    @Test
    void a_worker_that_fails_ends_the_load_with_its_reason() {
        assertThatThrownBy(
                        () ->
                                new Load(Duration.ofSeconds(30), Duration.ofSeconds(30), window)
                                        .closed(
                                                1,
                                                _ ->
                                                        (_, _) -> {
                                                            throw new Refused("claim", 503, "no");
                                                        }))
                .isInstanceOf(Refused.class)
                .hasMessage("claim was answered with 503: no");
        assertThat(begun).hasValue(0);
    }
}
