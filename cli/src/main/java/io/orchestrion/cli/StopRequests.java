package io.orchestrion.cli;

import sun.misc.Signal;
import sun.misc.SignalHandler;

import java.util.HashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Counts the signals that ask a worker to stop: the first wants what runs to be finished, the
/// second wants it given back, the third does not wait.
class StopRequests {
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch second = new CountDownLatch(1);

    /// Until the listening is closed.
    Listening listen() {
        var before = new HashMap<Signal, SignalHandler>();
        for (String name : new String[] {"TERM", "INT"}) {
            try {
                var signal = new Signal(name);
                before.put(signal, Signal.handle(signal, _ -> arrived()));
            } catch (IllegalArgumentException e) {
                // With -Xrs, or under a parent that ignores it, the signal is not ours to handle.
            }
        }
        return () -> before.forEach(Signal::handle);
    }

    /// Restores the earlier handlers of the signals.
    interface Listening extends AutoCloseable {
        @Override
        void close();
    }

    synchronized void arrived() {
        if (first.getCount() > 0) {
            first.countDown();
        } else if (second.getCount() > 0) {
            second.countDown();
        } else {
            // The thread of the signal must not wait for the hooks that exit() runs.
            Thread.ofPlatform().start(() -> System.exit(130));
        }
    }

    void awaitFirst() throws InterruptedException {
        first.await();
    }

    /// Waits for the thread to end, at most so long, and not after a second signal.
    boolean ends(Thread thread, int seconds) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(seconds);
        while (thread.isAlive() && second.getCount() > 0 && System.nanoTime() < until) {
            thread.join(20);
        }
        return !thread.isAlive();
    }
}
