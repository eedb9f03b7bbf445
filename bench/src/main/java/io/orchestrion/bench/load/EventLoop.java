package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/// All connections of a load in one thread. A thread for each took three times the processor time,
/// which the server that is measured was then short of.
final class EventLoop implements Callable<Tally>, AutoCloseable {
    /// So that the end of a window is noticed when nothing else happens.
    private static final long NAP_MS = 100;

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Pace pace;
    private final Tally tally;
    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();

    /// In turns, so that none is silent for so long that the server closes it.
    private final Deque<Connection> free = new ArrayDeque<>();

    private long checkedNanos = System.nanoTime();

    EventLoop(Pace pace, Tally tally) throws IOException {
        this.pace = pace;
        this.tally = tally;
    }

    void add(Worker worker) throws IOException {
        var connection = new Connection(worker, selector);
        connections.add(connection);
        free.add(connection);
    }

    @Override
    public Tally call() throws IOException {
        pace.start(System.nanoTime());
        while (!tally.over()) {
            proceed(beginWhatIsDue());
        }
        // What was begun comes to its end: half a life would be in the way of the next measurement.
        while (free.size() < connections.size()) {
            proceed(NAP_MS);
        }
        return tally;
    }

    /// @return milliseconds until there is something to begin
    private long beginWhatIsDue() throws IOException {
        while (!free.isEmpty()) {
            long now = System.nanoTime();
            long due = pace.dueNanos(now);
            if (due > now) {
                return Math.clamp(TimeUnit.NANOSECONDS.toMillis(due - now) + 1, 1, NAP_MS);
            }
            pace.begun();
            free.removeFirst().begin(due);
        }
        return NAP_MS;
    }

    private void proceed(long waitMs) throws IOException {
        try {
            selector.select(this::proceed, waitMs);
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
        long now = System.nanoTime();
        if (now - checkedNanos > CHECK_NANOS) {
            checkedNanos = now;
            for (Connection each : connections) {
                each.expectAnswer(now);
            }
        }
    }

    private void proceed(SelectionKey key) {
        var connection = (Connection) key.attachment();
        try {
            @Nullable Done done = connection.proceed(tally);
            if (done != null) {
                tally.ended(done.count());
                free.addLast(connection);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        for (Connection each : connections) {
            each.close();
        }
        selector.close();
    }
}
