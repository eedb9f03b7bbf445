package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/// Bounds the calls that are served at once, each urgency for itself, and tells when none is left.
/// A call that streams or waits does next to nothing: it gives its place back for that time and
/// counts against a bound of its own.
final class Capacity {
    /// The place of one call.
    final class Place implements AutoCloseable {
        private final Places among;

        private Place(Places among) {
            this.among = among;
        }

        /// The call streams until the leave is closed.
        ///
        /// @throws Refusal when too many do, or when the server stops
        Leave stream() {
            return leave(streams, streamsMax);
        }

        /// Runs what waits without the place. Once the server begins to stop, `wake` is called.
        ///
        /// @throws Refusal when too many wait, or when the server stops
        <T> T waiting(Callable<T> wait, Runnable wake) throws Exception {
            try (var _ = leave(waiters, waitersMax);
                    var _ = whenDraining(wake)) {
                return wait.call();
            }
        }

        private Leave leave(AtomicInteger others, int atMost) {
            if (others.incrementAndGet() > atMost || draining) {
                others.decrementAndGet();
                throw new Refusal(Pipeline::overloaded);
            }
            return new Leave(among, others);
        }

        @Override
        public void close() {
            among.exit();
        }
    }

    /// A place given back for a while.
    static final class Leave implements AutoCloseable {
        private final Places from;
        private final AtomicInteger among;

        private Leave(Places from, AtomicInteger among) {
            this.from = from;
            this.among = among;
            from.exit();
        }

        /// Counts the call in again, whether there is room or not: newcomers are refused rather
        /// than one that has what it waited for.
        @Override
        public void close() {
            from.enterAgain();
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

    private final Map<Urgency, Places> places = new EnumMap<>(Urgency.class);
    private final int streamsMax;
    private final int waitersMax;
    private final AtomicInteger streams = new AtomicInteger();
    private final AtomicInteger waiters = new AtomicInteger();
    private final Set<Thread> threads = ConcurrentHashMap.newKeySet();
    private final Set<Ending> endings = ConcurrentHashMap.newKeySet();
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition idle = lock.newCondition();
    private volatile boolean draining;

    Capacity(HttpOptions options) {
        HttpOptions.Admission admission = options.admission();
        for (Urgency urgency : Urgency.values()) {
            places.put(urgency, new Places(admission.placesOf(urgency), admission.patience()));
        }
        this.streamsMax = options.streamsMax();
        this.waitersMax = options.waitersMax();
    }

    private Places of(Urgency urgency) {
        return Objects.requireNonNull(places.get(urgency));
    }

    /// A call has come; it has no place yet.
    void arrive() {
        threads.add(Thread.currentThread());
    }

    void depart() {
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

    /// Takes a place for a call, and waits for one if it has to; null when there is none in time.
    ///
    /// @param caller whose calls wait in one line
    @Nullable Place place(Urgency urgency, Object caller) {
        Places among = of(urgency);
        return among.enter(caller) ? new Place(among) : null;
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
        return places.values().stream().mapToInt(Places::taken).sum();
    }

    /// Calls that wait for one.
    int waitingForPlaces() {
        return places.values().stream().mapToInt(Places::waiting).sum();
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
        places.values().forEach(Places::close);
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
