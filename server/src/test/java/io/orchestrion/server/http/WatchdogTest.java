package io.orchestrion.server.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/// With a tick that never comes by itself: however long the process stands still, only ticks count.
class WatchdogTest {
    private static final Duration TICK = Duration.ofHours(1);

    @Test
    void what_ends_within_its_ticks_is_left_alone() {
        try (var watchdog = new Watchdog(TICK)) {
            Watchdog.Watch watch = watchdog.arm(TICK.multipliedBy(2));
            watchdog.tick();
            watchdog.tick();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
            assertThat(watchdog.disarm(watch)).isTrue();
        }
    }

    @Test
    void what_does_not_is_ended_and_the_thread_is_as_before() {
        try (var watchdog = new Watchdog(TICK)) {
            Watchdog.Watch watch = watchdog.arm(TICK.multipliedBy(2));
            for (int i = 0; i < 3; i++) {
                watchdog.tick();
            }
            assertThat(Thread.currentThread().isInterrupted()).isTrue();
            assertThat(watchdog.disarm(watch)).isFalse();
            assertThat(Thread.currentThread().isInterrupted()).isFalse();
        }
    }
}
