package io.orchestrion.server.ops;

import io.orchestrion.server.exit.ExitCode;

import sun.misc.Signal;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Counts the signals that ask the server to stop. Shutdown hooks alone would do for the first one,
/// but the virtual machine lets nobody hear the second.
class StopSignals {
    private final CountDownLatch first = new CountDownLatch(1);
    private final CountDownLatch second = new CountDownLatch(1);
    private boolean serving;

    void listen() {
        for (String name : new String[] {"TERM", "INT"}) {
            try {
                Signal.handle(new Signal(name), _ -> arrived());
            } catch (IllegalArgumentException e) {
                // With -Xrs, or under a parent that ignores it, the signal is not ours to handle.
            }
        }
    }

    /// From now on the first signal asks for a graceful stop; before, it ended the start.
    synchronized void serving() {
        serving = true;
    }

    synchronized void arrived() {
        if (!serving) {
            // The thread of the signal must not wait for the hooks that exit() runs.
            Thread.ofPlatform().start(() -> System.exit(ExitCode.INTERRUPTED.number()));
            serving = true;
        } else if (first.getCount() > 0) {
            first.countDown();
        } else if (second.getCount() > 0) {
            second.countDown();
        } else {
            // Somebody means it. An embedded database recovers at the next start.
            Runtime.getRuntime().halt(ExitCode.INTERRUPTED.number());
        }
    }

    void awaitFirst() throws InterruptedException {
        first.await();
    }

    /// Waits for the first one, at most so long; whether it has come.
    boolean awaitFirst(Duration atMost) throws InterruptedException {
        return first.await(atMost.toMillis(), TimeUnit.MILLISECONDS);
    }

    boolean arrivedOnce() {
        return first.getCount() == 0;
    }

    boolean hurried() {
        return second.getCount() == 0;
    }

    /// Waits for the thread to end, at most so long, and not after a second signal.
    boolean awaitEnd(Thread thread, long millis) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
        while (thread.isAlive() && !hurried() && System.nanoTime() < until) {
            thread.join(20);
        }
        return !thread.isAlive();
    }
}
