package io.orchestrion.kernel.policy;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Predicate;

/// Workers of this node that wait for work that their policy allows, in the order in which they
/// came. Waking one means "look again". A worker that is not woken looks by itself about once a
/// second, because news of an item on another node may not reach this one.
public final class PolicyWaiters {
    private static final long LOOK_EVERY = Duration.ofSeconds(1).toNanos();

    private record Key(UUID accountId, String queue) {}

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, SequencedSet<Waiter>> lines = new HashMap<>();

    /// One waiting worker.
    public final class Waiter implements AutoCloseable {
        private final Key key;
        private final Condition signal;
        private Policy policy;
        private boolean woken;
        private boolean parked;

        private Waiter(Key key, Policy policy) {
            this.key = key;
            this.policy = policy;
            this.signal = lock.newCondition();
        }

        /// Waits until woken, until it is time to look, or until the time is over.
        public void await(long nanos) throws InterruptedException {
            // Spread over time, because the workers may all have come at once.
            long spread = ThreadLocalRandom.current().nextLong(LOOK_EVERY / 4);
            lock.lock();
            try {
                long left = Math.min(nanos, LOOK_EVERY - spread);
                parked = true;
                while (!woken && left > 0) {
                    left = signal.awaitNanos(left);
                }
                woken = false;
            } finally {
                parked = false;
                lock.unlock();
            }
        }

        public void heldTo(Policy other) {
            lock.lock();
            try {
                policy = other;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                SequencedSet<Waiter> line = lines.get(key);
                if (line != null) {
                    line.remove(this);
                    if (line.isEmpty()) {
                        lines.remove(key);
                    } else if (woken) {
                        // The item that it was woken for may suit any of the others.
                        wake(line, _ -> true, Integer.MAX_VALUE);
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    /// Joins the line. Enlist before looking; otherwise an item between the two is found only a
    /// second later.
    public Waiter enlist(UUID account, String queue, Policy policy) {
        lock.lock();
        try {
            var key = new Key(account, queue);
            var waiter = new Waiter(key, policy);
            lines.computeIfAbsent(key, _ -> new LinkedHashSet<>()).add(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// An item came: the first worker whom it suits looks.
    public void wake(UUID account, String queue, String kind, Requirements requirements) {
        wake(account, queue, policy -> policy.allows(kind, requirements), 1);
    }

    /// Items came of which only the kind is known: all workers whom they may suit look.
    public void wake(UUID account, String queue, String kind) {
        wake(account, queue, policy -> policy.allowsKind(kind), Integer.MAX_VALUE);
    }

    private void wake(UUID account, String queue, Predicate<Policy> fits, int most) {
        lock.lock();
        try {
            SequencedSet<Waiter> line = lines.get(new Key(account, queue));
            if (line != null) {
                wake(line, fits, most);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void wake(SequencedSet<Waiter> line, Predicate<Policy> fits, int most) {
        int left = most;
        for (Waiter waiter : line) {
            if (left == 0) {
                return;
            }
            if (!waiter.woken && fits.test(waiter.policy)) {
                waiter.woken = true;
                waiter.signal.signal();
                left--;
            }
        }
    }

    /// Everybody looks again, as when claims are closed.
    public void wakeAll() {
        lock.lock();
        try {
            lines.values().forEach(line -> wake(line, _ -> true, Integer.MAX_VALUE));
        } finally {
            lock.unlock();
        }
    }

    /// How many workers found nothing and sleep now.
    public int resting() {
        lock.lock();
        try {
            return (int)
                    lines.values().stream()
                            .flatMap(SequencedSet::stream)
                            .filter(waiter -> waiter.parked && !waiter.woken)
                            .count();
        } finally {
            lock.unlock();
        }
    }
}
