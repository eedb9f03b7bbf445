package io.orchestrion.kernel.wake;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Claimers of this node that wait for work, each kind's in the order in which they came. Waking
/// one means "look again", never "there is something": the claim itself decides.
public final class Waiters {

    /// What a claim waits for.
    public record Key(UUID accountId, String queue, String kind) {}

    /// One claim that waits.
    public final class Waiter implements AutoCloseable {
        private final Key key;
        private final Condition signal;
        private final boolean behindOthers;
        private boolean woken;
        private boolean parked;

        private Waiter(Key key, boolean behindOthers) {
            this.key = key;
            this.behindOthers = behindOthers;
            this.signal = lock.newCondition();
        }

        /// Whether others looked before it, found nothing and wait. Then there is nothing, or they
        /// are about to be woken for it: who comes later need not look, and would jump the line.
        public boolean behindOthers() {
            return behindOthers;
        }

        /// Waits until woken or until the time is over; true when woken. Being woken before the
        /// call counts.
        public boolean await(long nanos) throws InterruptedException {
            lock.lock();
            try {
                long left = nanos;
                parked = true;
                while (!woken && left > 0) {
                    left = signal.awaitNanos(left);
                }
                boolean was = woken;
                woken = false;
                return was;
            } finally {
                parked = false;
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
                        // It leaves with a wake-up that it did not use: the next one gets it.
                        wakeFirst(line, 1);
                    }
                }
            } finally {
                lock.unlock();
            }
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<Key, SequencedSet<Waiter>> lines = new HashMap<>();

    /// Joins the line. Enlist before looking for work; otherwise work that comes between the two is
    /// missed.
    public Waiter enlist(Key key) {
        lock.lock();
        try {
            SequencedSet<Waiter> line = lines.computeIfAbsent(key, _ -> new LinkedHashSet<>());
            // From the end of the line, where claims most likely sleep.
            boolean behindOthers =
                    line.reversed().stream().anyMatch(other -> other.parked && !other.woken);
            var waiter = new Waiter(key, behindOthers);
            line.add(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Wakes the first so many that are still asleep.
    public void wake(Key key, int count) {
        lock.lock();
        try {
            SequencedSet<Waiter> line = lines.get(key);
            if (line != null) {
                wakeFirst(line, count);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void wakeFirst(SequencedSet<Waiter> line, int count) {
        int left = count;
        for (Waiter waiter : line) {
            if (left == 0) {
                return;
            }
            if (!waiter.woken) {
                waiter.woken = true;
                waiter.signal.signal();
                left--;
            }
        }
    }

    /// The kinds that claims of this node wait for.
    public List<Key> keys() {
        lock.lock();
        try {
            return List.copyOf(lines.keySet());
        } finally {
            lock.unlock();
        }
    }

    /// Everybody looks again, as when claims are closed.
    public void wakeAll() {
        lock.lock();
        try {
            lines.values().forEach(line -> wakeFirst(line, line.size()));
        } finally {
            lock.unlock();
        }
    }

    public static long nanosUntil(long deadlineNanos) {
        return Math.max(0, deadlineNanos - System.nanoTime());
    }

    public static long deadlineAfter(long millis) {
        return System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    }

    public int waiting() {
        lock.lock();
        try {
            return lines.values().stream().mapToInt(SequencedSet::size).sum();
        } finally {
            lock.unlock();
        }
    }

    /// How many found nothing and sleep now.
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
