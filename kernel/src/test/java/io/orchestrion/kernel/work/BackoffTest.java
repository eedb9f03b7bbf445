package io.orchestrion.kernel.work;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

class BackoffTest {
    private static RandomGenerator always(double value) {
        return new RandomGenerator() {
            @Override
            public long nextLong() {
                return 0;
            }

            @Override
            public double nextDouble() {
                return value;
            }
        };
    }

    @Test
    void the_delay_doubles_with_each_attempt_up_to_the_cap() {
        var backoff = new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(10), 0);
        var random = always(0.5);
        assertThat(backoff.delayMillis(1, random)).isEqualTo(5_000);
        assertThat(backoff.delayMillis(2, random)).isEqualTo(10_000);
        assertThat(backoff.delayMillis(3, random)).isEqualTo(20_000);
        assertThat(backoff.delayMillis(7, random)).isEqualTo(320_000);
        assertThat(backoff.delayMillis(8, random)).isEqualTo(600_000);
        assertThat(backoff.delayMillis(Integer.MAX_VALUE, random)).isEqualTo(600_000);
        assertThat(backoff.delayMillis(0, random)).isEqualTo(5_000);
    }

    @Test
    void jitter_spreads_by_its_share_both_ways_and_never_beyond_the_cap() {
        var backoff = new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(40), 0.2);
        assertThat(backoff.delayMillis(1, always(0))).isEqualTo(8_000);
        assertThat(backoff.delayMillis(1, always(1))).isEqualTo(12_000);
        assertThat(backoff.delayMillis(3, always(1))).isEqualTo(40_000);
    }

    @Test
    void every_delay_lies_within_its_bounds() {
        var random = new Random(20261115);
        for (Profile profile : Profiles.ALL) {
            Backoff backoff = profile.retries().backoff();
            for (int i = 0; i < 10_000; i++) {
                int attempt = 1 + random.nextInt(60);
                long delay = backoff.delayMillis(attempt, random);
                if (!backoff.delays()) {
                    assertThat(delay).isZero();
                    continue;
                }
                double full =
                        Math.min(
                                backoff.cap().toMillis(),
                                backoff.base().toMillis() * Math.pow(2, Math.min(attempt - 1, 40)));
                assertThat((double) delay)
                        .isBetween(
                                backoff.full()
                                        ? backoff.floor().toMillis()
                                        : full * (1 - backoff.jitter()) - 1,
                                Math.min(
                                        backoff.cap().toMillis(),
                                        backoff.full() ? full : full * (1 + backoff.jitter()) + 1));
            }
        }
    }

    ///
    @Test
    void with_full_jitter_the_delay_is_anything_from_the_floor_to_its_length() {
        var backoff =
                Backoff.withFullJitter(
                        Duration.ofSeconds(5), Duration.ofMinutes(15), Duration.ofSeconds(1));
        assertThat(Profiles.QUEUE.retries().backoff()).isEqualTo(backoff);
        assertThat(backoff.delayMillis(1, always(0))).isEqualTo(1_000);
        assertThat(backoff.delayMillis(1, always(1))).isEqualTo(5_000);
        assertThat(backoff.delayMillis(2, always(1))).isEqualTo(10_000);
        assertThat(backoff.delayMillis(2, always(0.5))).isEqualTo(5_000);
        assertThat(backoff.delayMillis(8, always(1))).isEqualTo(640_000);
        assertThat(backoff.delayMillis(9, always(1))).isEqualTo(900_000);
        assertThat(backoff.delayMillis(Integer.MAX_VALUE, always(0))).isEqualTo(1_000);
    }

    @Test
    void the_smallest_delay_of_one_that_delays_is_a_millisecond() {
        var backoff = new Backoff(Duration.ofMillis(1), Duration.ofMillis(1), 1);
        assertThat(backoff.delayMillis(1, always(0))).isEqualTo(1);
    }

    @Test
    void nonsense_is_refused() {
        Duration second = Duration.ofSeconds(1);
        assertThatThrownBy(() -> new Backoff(second, Duration.ZERO, 0))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second, second, 1.1))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.withFullJitter(second, second, Duration.ZERO))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Backoff.withFullJitter(second, second, Duration.ofSeconds(2)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new Backoff(second.negated(), second, 0))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
