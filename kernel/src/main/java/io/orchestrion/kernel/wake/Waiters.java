package io.orchestrion.kernel.wake;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Claimers of this node that wait for work, each kind's in the order in which they came. Waking
/// one means "look again", never "there is something": the claim itself decides.
public final class Waiters {

    /// What is waited for.
    public record Key(UUID accountId, String queue, String kind) {}

    /// One waiting claimer.
    public final class Waiter implements AutoCloseable {
        private final Key key;
        private final Condition signal;
        private boolean woken;

        private Waiter(Key key) {
            this.key = key;
            this.signal = lock.newCondition();
        }

        /// Waits until woken or until the time is over; true when woken. Being woken before the
        /// call counts.
        public boolean await(long nanos) throws InterruptedException {
            lock.lock();
            try {
                long left = nanos;
                while (!woken && left > 0) {
                    left = signal.awaitNanos(left);
                }
                boolean was = woken;
                woken = false;
                return was;
            } finally {
                lock.unlock();
            }
        }

        @Override
        public void close() {
            lock.lock();
            try {
                Deque<Waiter> line = lines.get(key);
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
    private final Map<Key, Deque<Waiter>> lines = new HashMap<>();

    /// Joins the line. Enlist before looking for work, or what comes in between is missed.
    public Waiter enlist(Key key) {
        lock.lock();
        try {
            var waiter = new Waiter(key);
            lines.computeIfAbsent(key, _ -> new ArrayDeque<>()).add(waiter);
            return waiter;
        } finally {
            lock.unlock();
        }
    }

    /// Wakes the first so many that are not awake already.
    public void wake(Key key, int count) {
        lock.lock();
        try {
            Deque<Waiter> line = lines.get(key);
            if (line != null) {
                wakeFirst(line, count);
            }
        } finally {
            lock.unlock();
        }
    }

    private static void wakeFirst(Deque<Waiter> line, int count) {
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

    /// The poll behind all hints: the first of each line looks for itself.
    public void wakeOneOfEach() {
        List<Key> keys;
        lock.lock();
        try {
            keys = List.copyOf(lines.keySet());
        } finally {
            lock.unlock();
        }
        keys.forEach(key -> wake(key, 1));
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
            return lines.values().stream().mapToInt(Deque::size).sum();
        } finally {
            lock.unlock();
        }
    }
}
