package io.orchestrion.kernel.db;

import io.orchestrion.kernel.fault.CoreThread;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Ends transactions that are open for too long, whatever they do. Each statement has a limit of
/// its own. But many short statements, or a thread that never sends the next one, would keep rows
/// locked and the log's readers waiting. The watch closes the connection, upon which the database
/// rolls back, and interrupts the thread.
///
/// The database has the same limits (decision 138). But not all its versions have all of them, and
/// none can interrupt our thread.
final class TransactionWatch implements AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(TransactionWatch.class);
    private static final long LOOK_EVERY_MAX_MS = 1000;
    private static final int LOOKS = 10;

    private final Duration limit;
    private final Set<Open> open = ConcurrentHashMap.newKeySet();
    private final Map<String, AtomicLong> ended = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);

    TransactionWatch(Duration limit) {
        this.limit = limit;
        CoreThread.start("transaction-watch", this::watch);
    }

    /// From now on the transaction of this thread may take its time, and no more.
    ///
    /// @param name of the session
    Open begin(String name, Connection connection) {
        var begun = new Open(name, connection);
        open.add(begun);
        return begun;
    }

    /// How many transactions of the sessions of that name were ended.
    long ended(String name) {
        AtomicLong count = ended.get(name);
        return count == null ? 0 : count.get();
    }

    private void watch() {
        long restMs = Math.clamp(limit.toMillis() / LOOKS, 1, LOOK_EVERY_MAX_MS);
        try {
            while (!closed.await(restMs, TimeUnit.MILLISECONDS)) {
                open.forEach(Open::endIfOverdue);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        closed.countDown();
    }

    /// A transaction of the thread that made this.
    final class Open {
        private final String name;
        private final Connection connection;
        private final Thread thread = Thread.currentThread();
        private final long sinceNanos = System.nanoTime();
        private boolean over;
        private boolean ended;

        private Open(String name, Connection connection) {
            this.name = name;
            this.connection = connection;
        }

        /// The thread is done with it. True when it was ended meanwhile: then the connection is
        /// gone, and an interrupt that the thread did not see is taken back. Again is fine.
        synchronized boolean over() {
            if (!over) {
                over = true;
                open.remove(this);
                if (ended) {
                    Thread.interrupted();
                }
            }
            return ended;
        }

        /// Whether the watch ended it. Then nothing of it is committed any more.
        synchronized boolean isEnded() {
            return ended;
        }

        /// The thread cannot leave the transaction during this method, so the interrupt hits
        /// nothing else.
        private synchronized void endIfOverdue() {
            if (over || ended || System.nanoTime() - sinceNanos <= limit.toNanos()) {
                return;
            }
            ended = true;
            TransactionWatch.this
                    .ended
                    .computeIfAbsent(name, _ -> new AtomicLong())
                    .incrementAndGet();
            log.error(
                    "a transaction of {} was open for {} and is ended; thread {} was here",
                    name,
                    limit,
                    thread.getName(),
                    here());
            try {
                // On a thread of its own, because an encrypted connection says goodbye first.
                connection.abort(command -> Thread.ofVirtual().start(command));
            } catch (SQLException e) {
                log.error("the connection of {} cannot be closed", name, e);
            }
            thread.interrupt();
        }

        private Throwable here() {
            var here = new Throwable("where it was");
            here.setStackTrace(thread.getStackTrace());
            return here;
        }
    }
}
