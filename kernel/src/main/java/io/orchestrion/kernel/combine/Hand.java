package io.orchestrion.kernel.combine;

import java.util.List;
import java.util.concurrent.TimeUnit;

/// The requests that a committer has taken, and when it last made progress with them.
final class Hand<Q, A> {
    private volatile List<Pending<Q, A>> held = List.of();
    private volatile long movedNanos = System.nanoTime();
    private volatile boolean lost;

    void holds(List<Pending<Q, A>> begun) {
        moves();
        held = begun;
    }

    /// A transaction begins or has ended.
    void moves() {
        movedNanos = System.nanoTime();
    }

    List<Pending<Q, A>> held() {
        return held;
    }

    /// For how long it has made no progress; 0 where it has no requests.
    long atTheSameForMs() {
        return held.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - movedNanos);
    }

    /// Another committer has taken its place, so nothing that it still does counts.
    void lose() {
        lost = true;
    }

    boolean lost() {
        return lost;
    }
}
