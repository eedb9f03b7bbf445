package io.orchestrion.server.http;

import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// A bounded number of places for calls. A call that finds none waits for a while. Callers that
/// wait are served in turn, so a caller with thousands of calls waits behind its own.
///
/// Waiting costs a parked thread and no more. Refusing at once would cost less for one call, but
/// callers that retry at once would keep the processors busy with refusals.
final class Places {
    private static final class Waiter {
        private final Condition turn;
        private boolean admitted;
        private boolean refused;

        Waiter(Condition turn) {
            this.turn = turn;
        }
    }

    private final int max;
    private final long waitNanos;
    private final ReentrantLock lock = new ReentrantLock();

    /// Calls that wait, by caller. The first caller is the next to be served.
    private final Map<Object, LinkedHashSet<Waiter>> lines = new LinkedHashMap<>();

    private int taken;
    private boolean closed;

    Places(int max, Duration wait) {
        this.max = max;
        this.waitNanos = wait.toNanos();
    }

    /// Takes a place, after a wait if need be; false when there was none in time.
    boolean enter(Object caller) {
        lock.lock();
        try {
            if (taken < max && lines.isEmpty()) {
                taken++;
                return true;
            }
            var waiter = new Waiter(lock.newCondition());
            lines.computeIfAbsent(caller, _ -> new LinkedHashSet<>()).add(waiter);
            await(waiter);
            if (!waiter.admitted) {
                forget(caller, waiter);
            }
            return waiter.admitted;
        } finally {
            lock.unlock();
        }
    }

    private void await(Waiter waiter) {
        long left = closed ? 0 : waitNanos;
        try {
            while (!waiter.admitted && !waiter.refused && left > 0) {
                left = waiter.turn.awaitNanos(left);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void forget(Object caller, Waiter waiter) {
        LinkedHashSet<Waiter> line = lines.get(caller);
        if (line != null && line.remove(waiter) && line.isEmpty()) {
            lines.remove(caller);
        }
    }

    /// Counts in one that has been here before, whether there is room or not.
    void enterAgain() {
        lock.lock();
        try {
            taken++;
        } finally {
            lock.unlock();
        }
    }

    void exit() {
        lock.lock();
        try {
            taken--;
            while (taken < max && !lines.isEmpty()) {
                admitNext();
            }
        } finally {
            lock.unlock();
        }
    }

    private void admitNext() {
        var first = lines.entrySet().iterator().next();
        LinkedHashSet<Waiter> line = first.getValue();
        lines.remove(first.getKey());
        Iterator<Waiter> waiters = line.iterator();
        Waiter next = waiters.next();
        waiters.remove();
        if (!line.isEmpty()) {
            lines.put(first.getKey(), line);
        }
        taken++;
        next.admitted = true;
        next.turn.signal();
    }

    /// Ends all waiting.
    void close() {
        lock.lock();
        try {
            closed = true;
            for (LinkedHashSet<Waiter> line : lines.values()) {
                for (Waiter waiter : line) {
                    waiter.refused = true;
                    waiter.turn.signal();
                }
            }
        } finally {
            lock.unlock();
        }
    }

    int taken() {
        lock.lock();
        try {
            return taken;
        } finally {
            lock.unlock();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return lines.values().stream().mapToInt(LinkedHashSet::size).sum();
        } finally {
            lock.unlock();
        }
    }
}
