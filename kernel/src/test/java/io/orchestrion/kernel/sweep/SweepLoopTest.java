package io.orchestrion.kernel.sweep;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

class SweepLoopTest {
    private static final Duration INTERVAL = Duration.ofMillis(1);

    private final AtomicLong nanos = new AtomicLong();

    /// Looks at everything once an hour.
    private static final class Seldom implements Sweeper {
        private final CountDownLatch ran = new CountDownLatch(1);

        @Override
        public String name() {
            return "seldom";
        }

        @Override
        public Duration pace(Duration usual) {
            return Duration.ofHours(1);
        }

        @Override
        public int fullPass() {
            return 1;
        }

        @Override
        public int runOnce() {
            ran.countDown();
            return 0;
        }
    }

    @Test
    void a_duty_that_rests_for_long_begins_with_the_others() throws Exception {
        var seldom = new Seldom();
        try (var loop = new SweepLoop(INTERVAL, List.of(seldom), nanos::get)) {
            loop.start();
            assertThat(seldom.ran.await(30, TimeUnit.SECONDS)).isTrue();
        }
    }

    @Test
    void a_duty_that_rests_for_long_is_healthy_while_it_rests() {
        try (var loop = new SweepLoop(INTERVAL, List.of(new Seldom()), nanos::get)) {
            nanos.addAndGet(Duration.ofMinutes(119).toNanos());
            assertThat(loop.statuses().getFirst().healthy()).isTrue();
            nanos.addAndGet(Duration.ofMinutes(2).toNanos());
            assertThat(loop.statuses().getFirst().healthy()).isFalse();
        }
    }

    @Test
    void a_duty_of_the_usual_pace_is_unhealthy_after_90_seconds() {
        Sweeper usual =
                new Sweeper() {
                    @Override
                    public String name() {
                        return "usual";
                    }

                    @Override
                    public int fullPass() {
                        return 1;
                    }

                    @Override
                    public int runOnce() {
                        return 0;
                    }
                };
        try (var loop = new SweepLoop(INTERVAL, List.of(usual), nanos::get)) {
            nanos.addAndGet(Duration.ofSeconds(90).toNanos());
            assertThat(loop.statuses().getFirst().healthy()).isTrue();
            nanos.addAndGet(Duration.ofSeconds(1).toNanos());
            assertThat(loop.statuses().getFirst().healthy()).isFalse();
        }
    }
}
