package io.orchestrion.kernel.combine;

import io.orchestrion.kernel.combine.Combiner.Lane;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;
import io.orchestrion.kernel.fault.CoreThread;

import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReferenceArray;

/// Tells callers of a lane who waited too long. One thread looks now and then, because a timer for
/// each call costs as much as the rest of the waiting.
final class Patience<Q, A> {
    private final Lane lane;
    private final BlockingQueue<Pending<Q, A>> waiting;
    private final AtomicReferenceArray<List<Pending<Q, A>>> inHand;
    private final CountDownLatch ended = new CountDownLatch(1);

    Patience(Lane lane, BlockingQueue<Pending<Q, A>> waiting) {
        this.lane = lane;
        this.waiting = waiting;
        this.inHand = new AtomicReferenceArray<>(lane.committers());
        for (int i = 0; i < lane.committers(); i++) {
            inHand.set(i, List.of());
        }
        CoreThread.start(lane.name() + "-patience", this::watch);
    }

    /// What a committer has begun with, or has in hand to begin with; nothing when it is done.
    void inHand(int committer, List<Pending<Q, A>> begun) {
        inHand.set(committer, begun);
    }

    void end() {
        ended.countDown();
    }

    private void watch() {
        long restMillis = Math.clamp(lane.patience().toMillis() / 10, 1, 1000);
        try {
            while (!ended.await(restMillis, TimeUnit.MILLISECONDS)) {
                for (Pending<Q, A> one : waiting) {
                    if (hasWaitedTooLong(one) && waiting.remove(one)) {
                        tell(one, Kind.OVERLOADED);
                    }
                }
                for (int i = 0; i < inHand.length(); i++) {
                    inHand.get(i).stream()
                            .filter(this::hasWaitedTooLong)
                            .forEach(one -> tell(one, Kind.OUTCOME_UNKNOWN));
                }
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
