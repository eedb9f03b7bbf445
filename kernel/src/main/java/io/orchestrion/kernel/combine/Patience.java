package io.orchestrion.kernel.combine;

import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.fault.CoreThread;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// Answers callers of a lane that waited too long, and finds committers that make no progress. One
/// thread looks at intervals, because a timer for each call costs as much as the rest of the
/// waiting.
final class Patience<Q, A> {
    private static final int LOOKS = 10;
    private static final long LOOK_EVERY_MAX_MS = 1000;

    private final Lane lane;
    private final BlockingQueue<Pending<Q, A>> waiting;
    private final Supplier<List<Hand<Q, A>>> hands;
    private final Runnable replaceStuck;
    private final long restMs;
    private final CountDownLatch ended = new CountDownLatch(1);

    /// @param limitMs how long a transaction may take
    /// @param replaceStuck called with each look, after callers that waited too long were answered
    Patience(
            Lane lane,
            BlockingQueue<Pending<Q, A>> waiting,
            Supplier<List<Hand<Q, A>>> hands,
            long limitMs,
            Runnable replaceStuck) {
        this.lane = lane;
        this.waiting = waiting;
        this.hands = hands;
        this.replaceStuck = replaceStuck;
        this.restMs =
                Math.clamp(
                        Math.min(limitMs, lane.patience().toMillis()) / LOOKS,
                        1,
                        LOOK_EVERY_MAX_MS);
    }

    void start() {
        CoreThread.start(lane.name() + "-patience", this::watch);
    }

    void end() {
        ended.countDown();
    }

    private void watch() {
        try {
            while (!ended.await(restMs, TimeUnit.MILLISECONDS)) {
                for (Pending<Q, A> one : waiting) {
                    if (hasWaitedTooLong(one) && waiting.remove(one)) {
                        tell(one, Kind.OVERLOADED);
                    }
                }
                for (Hand<Q, A> hand : hands.get()) {
                    hand.held().stream()
                            .filter(this::hasWaitedTooLong)
                            .forEach(one -> tell(one, Kind.OUTCOME_UNKNOWN));
                }
                replaceStuck.run();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private boolean hasWaitedTooLong(Pending<Q, A> one) {
        return !one.isEnd() && one.olderThan(lane.patience());
    }

    private void tell(Pending<Q, A> one, Kind kind) {
        one.answer()
                .completeExceptionally(
                        new StoreException(
                                kind,
                                "waited "
                                        + lane.patience()
                                        + " in "
                                        + lane.name()
                                        + " without an answer"));
    }
}
