package io.orchestrion.server.http;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/// The pace at which refused bodies are read away. A refused connection is read from until its
/// client has heard the answer. Sixty clients that send refused bodies of 8 MB without a pause kept
/// both processors busy with that alone, and everybody else waited for seconds. So all of them
/// together are read at one bounded rate: the more there are, the slower each is read.
final class Lingering {
    /// What is read between two pauses.
    static final int PART_BYTES = 64 * 1024;

    /// The pause of one connection that lingers alone: 128 MB a second.
    private static final long PAUSE_NANOS = 500_000;

    private final AtomicInteger connections = new AtomicInteger();

    /// One connection that is read away, until it is closed.
    final class Turn implements AutoCloseable {
        private Turn() {
            connections.incrementAndGet();
        }

        /// After each part.
        void pause() {
            LockSupport.parkNanos(PAUSE_NANOS * connections.get());
        }

        @Override
        public void close() {
            connections.decrementAndGet();
        }
    }

    Turn begin() {
        return new Turn();
    }
}
