package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/// The options of every [Worker].
///
/// ```java
/// Worker worker = Worker.builder(client)
///         .type("hello")
///         .workerId("greeter-1")
///         .longPoll(Duration.ofSeconds(20))
///         .listener(event -> System.out.println(event))
///         .handler(task -> null)
///         .start();
/// ```
///
/// @param <W> what it works on
/// @param <B> the builder itself
public abstract sealed class WorkerBuilder<W, B extends WorkerBuilder<W, B>>
        permits Worker.Builder, Worker.QueueBuilder {
    private static final int LONGEST_WAIT_SECONDS = 30;

    private @Nullable String workerId;
    private int concurrency = 1;
    private Duration wait = Duration.ZERO;
    private boolean once;
    private Consumer<WorkerEvent<W>> listener = WorkLoop::log;
    private MonotonicClock clock = MonotonicClock.SYSTEM;
    private DoubleSupplier random = () -> ThreadLocalRandom.current().nextDouble();

    WorkerBuilder() {}

    abstract B self();

    abstract WorkLoop.Source<W> source();

    /// The worker's name, shown with what it holds.
    public B workerId(String workerId) {
        this.workerId = workerId;
        return self();
    }

    /// How many handlers run at a time; one unless set.
    public B concurrency(int pieces) {
        if (pieces < 1) {
            throw new IllegalArgumentException("concurrency must be at least 1");
        }
        concurrency = pieces;
        return self();
    }

    /// How long the server holds a claim when there is no work, at most 30 seconds. Work that
    /// arrives meanwhile is claimed at once. Closing the worker interrupts the claim. If the server
    /// gives work to it before it notices, that work can be claimed again when its lease runs out.
    public B longPoll(Duration wait) {
        if (wait.isNegative() || wait.toSeconds() > LONGEST_WAIT_SECONDS) {
            throw new IllegalArgumentException("a long poll is 0 to 30 seconds");
        }
        this.wait = wait;
        return self();
    }

    /// Claims at most one piece of work, and claims only once if there is none. [Worker#await]
    /// returns when it is done.
    public B once() {
        once = true;
        return self();
    }

    /// Receives what happens, on the worker's threads. Without a listener the worker logs what goes
    /// wrong.
    public B listener(Consumer<WorkerEvent<W>> listener) {
        this.listener = listener;
        return self();
    }

    /// For tests: the clock of the leases and the waits.
    public B clock(MonotonicClock clock) {
        this.clock = clock;
        return self();
    }

    /// For tests: numbers from 0 to below 1, which vary the waits.
    public B random(DoubleSupplier random) {
        this.random = random;
        return self();
    }

    /// Starts to claim.
    public Worker start() {
        return new Worker(new WorkLoop<>(this, source()));
    }

    @Nullable String workerId() {
        return workerId;
    }

    int concurrency() {
        return concurrency;
    }

    Duration pollWait() {
        return wait;
    }

    boolean isOnce() {
        return once;
    }

    Consumer<WorkerEvent<W>> listener() {
        return listener;
    }

    MonotonicClock clock() {
        return clock;
    }

    DoubleSupplier random() {
        return random;
    }

    /// The rest of the wait that the server was asked for. It is waited here if the server answers
    /// at once, so that the worker does not claim in a tight loop.
    Duration leftOf(Duration wait, long sentNanos) {
        Duration left = wait.minusNanos(clock.nanos() - sentNanos);
        return left.isNegative() ? Duration.ZERO : left;
    }
}
