package io.orchestrion.bench.scenario;

import java.math.BigDecimal;
import java.time.Duration;

/// How long and how large.
///
/// @param warmUp before what counts; compilers need it
/// @param counted the window of each measurement
/// @param history finished tasks in store for `history`
/// @param heldSnapshot how long an old snapshot is held under load
/// @param waiters idle long polls
/// @param overload how long `overload` lasts after its warm-up
/// @param creators connections that create as fast as they can in it
/// @param asleep executions that wait for a timer, and as many that wait for a person
/// @param attempts of each of ten steps, in the long history of an execution; the largest run has
///     the square of it of steps
public record Scale(
        Duration warmUp,
        Duration counted,
        long history,
        Duration heldSnapshot,
        int waiters,
        Duration overload,
        int creators,
        int asleep,
        int attempts) {

    public static Scale full() {
        return new Scale(
                Duration.ofSeconds(40),
                Duration.ofSeconds(20),
                10_000_000,
                Duration.ofMinutes(10),
                2000,
                Duration.ofMinutes(2),
                2000,
                10_000,
                100);
    }

    /// For a look.
    public static Scale quick() {
        return new Scale(
                Duration.ofSeconds(3),
                Duration.ofSeconds(3),
                50_000,
                Duration.ofSeconds(10),
                500,
                Duration.ofSeconds(10),
                500,
                200,
                20);
    }

    public Scale withWarmUp(Duration time) {
        return new Scale(
                time,
                counted,
                history,
                heldSnapshot,
                waiters,
                overload,
                creators,
                asleep,
                attempts);
    }

    /// A snapshot is held for longer than the window, which is the last part of that time.
    public Scale withCounted(Duration window) {
        Duration held = heldSnapshot.compareTo(window) > 0 ? heldSnapshot : window.multipliedBy(2);
        return new Scale(
                warmUp, window, history, held, waiters, window, creators, asleep, attempts);
    }

    public Scale withHistory(long rows) {
        return new Scale(
                warmUp, counted, rows, heldSnapshot, waiters, overload, creators, asleep, attempts);
    }

    public Scale withHeldSnapshot(Duration held) {
        return new Scale(
                warmUp, counted, history, held, waiters, overload, creators, asleep, attempts);
    }

    public Scale withCreators(int connections) {
        return new Scale(
                warmUp,
                counted,
                history,
                heldSnapshot,
                waiters,
                overload,
                connections,
                asleep,
                attempts);
    }

    /// As it is written on the command line.
    public static String inSeconds(Duration time) {
        return BigDecimal.valueOf(time.toMillis(), 3).stripTrailingZeros().toPlainString();
    }
}
