package io.orchestrion.bench.scenario;

import java.time.Duration;

/// How long and how large.
///
/// @param warmUp before what counts; compilers need it
/// @param counted the window of each measurement
/// @param history finished tasks in store for `history`
/// @param heldSnapshot how long an old snapshot is held under load
/// @param waiters idle long polls
public record Scale(
        Duration warmUp, Duration counted, long history, Duration heldSnapshot, int waiters) {

    public static Scale full() {
        return new Scale(
                Duration.ofSeconds(40),
                Duration.ofSeconds(20),
                10_000_000,
                Duration.ofMinutes(10),
                2000);
    }

    /// For a look.
    public static Scale quick() {
        return new Scale(
                Duration.ofSeconds(3), Duration.ofSeconds(3), 50_000, Duration.ofSeconds(10), 500);
    }

    public Scale withWarmUp(int seconds) {
        return new Scale(Duration.ofSeconds(seconds), counted, history, heldSnapshot, waiters);
    }

    /// A snapshot is held for longer than the window, which is the last part of that time.
    public Scale withCounted(int seconds) {
        Duration window = Duration.ofSeconds(seconds);
        Duration held = heldSnapshot.compareTo(window) > 0 ? heldSnapshot : window.multipliedBy(2);
        return new Scale(warmUp, window, history, held, waiters);
    }

    public Scale withHistory(long rows) {
        return new Scale(warmUp, counted, rows, heldSnapshot, waiters);
    }

    public Scale withHeldSnapshot(Duration held) {
        return new Scale(warmUp, counted, history, held, waiters);
    }
}
