package io.orchestrion.kernel.combine;

import java.util.List;
import java.util.concurrent.TimeUnit;

/// What a committer has begun with, or has in hand to begin with, and when it got on with it last.
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

    /// How long it has been at the same; nothing where nothing is in hand.
    long atTheSameForMs() {
        return held.isEmpty() ? 0 : TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - movedNanos);
    }

    /// Another has taken its place: whatever it still does counts for nobody.
    void lose() {
        lost = true;
    }

    boolean lost() {
        return lost;
    }
}
