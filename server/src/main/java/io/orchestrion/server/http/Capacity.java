package io.orchestrion.server.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Counts the calls in flight, bounds them, and tells when none is left.
final class Capacity {
    private final int max;
    private final int ordinaryMax;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private volatile boolean draining;

    Capacity(int max, int reserved) {
        this.max = max;
        this.ordinaryMax = max - reserved;
    }

    /// Counts a call in, and returns how many there are with it.
    int enter() {
        threads.add(Thread.currentThread());
        return inFlight.incrementAndGet();
    }

    /// Whether a call that is the n-th in flight may be served.
    boolean admits(int n, boolean vital) {
        return n <= (vital ? max : ordinaryMax);
    }

    void exit() {
        threads.remove(Thread.currentThread());
        if (inFlight.decrementAndGet() == 0 && draining) {
            lock.lock();
            try {
                idle.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    int inFlight() {
        return inFlight.get();
    }

    boolean draining() {
        return draining;
    }

    void drain() {
        draining = true;
    }

    /// Waits until no call is in flight; false when some still are after the given time.
    boolean awaitIdle(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (inFlight.get() > 0) {
                if (left <= 0) {
                    return false;
                }
                left = idle.awaitNanos(left);
            }
            return true;
        } finally {
            lock.unlock();
        }
    }

    void interruptAll() {
        threads.forEach(Thread::interrupt);
    }
}
