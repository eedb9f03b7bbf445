package io.orchestrion.kernel.combine;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;

/// A request that waits in a lane or is being carried out.
record Pending<Q, A>(
        @Nullable Q request,
        CompletableFuture<A> answer,
        long sinceNanos,
        AtomicReference<Pending.Stage> stage) {

    /// Whether its caller can still take it back.
    enum Stage {
        OPEN,
        COMMITTING,
        GIVEN_UP
    }

    static <Q, A> Pending<Q, A> of(Q request) {
        return made(request);
    }

    /// Marks the end of the queue: no request comes after it.
    static <Q, A> Pending<Q, A> end() {
        return made(null);
    }

    private static <Q, A> Pending<Q, A> made(@Nullable Q request) {
        return new Pending<>(
                request,
                new CompletableFuture<>(),
                System.nanoTime(),
                new AtomicReference<>(Stage.OPEN));
    }

    boolean isEnd() {
        return request == null;
    }

    /// From here on it will be carried out; false when its caller took it back before.
    boolean commits() {
        return stage.compareAndSet(Stage.OPEN, Stage.COMMITTING) || stage.get() == Stage.COMMITTING;
    }

    /// Its caller takes it back; false when it is being committed.
    boolean giveUp() {
        return stage.compareAndSet(Stage.OPEN, Stage.GIVEN_UP);
    }

    boolean givenUp() {
        return stage.get() == Stage.GIVEN_UP;
    }

    boolean olderThan(Duration age) {
        return System.nanoTime() - sinceNanos > age.toNanos();
    }
}
