package io.orchestrion.server.http;

import java.time.Duration;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Counts the calls in flight, bounds them, and tells when none is left. A call that streams or
/// waits does next to nothing: it gives its place back for that time and counts against a bound of
/// its own.
final class Capacity {
    /// A place given back for a while.
    final class Leave implements AutoCloseable {
        private final AtomicInteger among;

        private Leave(AtomicInteger among) {
            this.among = among;
            inFlight.decrementAndGet();
        }

        /// Counts the call in again, whether there is room or not: newcomers are refused rather
        /// than one that has what it waited for.
        @Override
        public void close() {
            inFlight.incrementAndGet();
            among.decrementAndGet();
        }
    }

    /// Something to be woken when the server begins to stop.
    final class Ending implements AutoCloseable {
        private final Runnable wake;

        private Ending(Runnable wake) {
            this.wake = wake;
        }

        @Override
        public void close() {
            endings.remove(this);
        }
    }

    private final int max;
    private final int ordinaryMax;
    private final int streamsMax;
    private final int waitersMax;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger waiters = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Ending> endings = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private volatile boolean draining;

    Capacity(HttpOptions options) {
        this.max = options.requestsMax();
        this.ordinaryMax = options.requestsMax() - options.requestsReserved();
        this.streamsMax = options.streamsMax();
        this.waitersMax = options.waitersMax();
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
        inFlight.decrementAndGet();
        threads.remove(Thread.currentThread());
        if (draining && threads.isEmpty()) {
            lock.lock();
            try {
                idle.signalAll();
            } finally {
                lock.unlock();
            }
        }
    }

    /// The call of this thread streams until the leave is closed.
    ///
    /// @throws Refusal when too many do, or when the server stops
    Leave stream() {
        return leave(streams, streamsMax);
    }

    /// Runs what waits without a place in flight. Once the server begins to stop, `wake` is called.
    ///
    /// @throws Refusal when too many wait, or when the server stops
    <T> T waiting(Callable<T> wait, Runnable wake) throws Exception {
        try (var _ = leave(waiters, waitersMax);
                var _ = whenDraining(wake)) {
            return wait.call();
        }
    }

    private Leave leave(AtomicInteger among, int atMost) {
        if (among.incrementAndGet() > atMost || draining) {
            among.decrementAndGet();
            throw new Refusal(Pipeline::overloaded);
        }
        return new Leave(among);
    }

    /// Runs it once the server begins to stop, now when it has begun. It may run twice.
    Ending whenDraining(Runnable wake) {
        var ending = new Ending(wake);
        endings.add(ending);
        if (draining) {
            wake.run();
        }
        return ending;
    }

    /// Calls that hold a place.
    int inFlight() {
        return inFlight.get();
    }

    /// Calls with and without a place.
    int present() {
        return threads.size();
    }

    boolean draining() {
        return draining;
    }

    void drain() {
        draining = true;
        endings.forEach(ending -> ending.wake.run());
    }

    /// Waits until there is no call; false when some still are after the given time.
    boolean awaitIdle(Duration limit) throws InterruptedException {
        long left = limit.toNanos();
        lock.lock();
        try {
            while (!threads.isEmpty()) {
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
