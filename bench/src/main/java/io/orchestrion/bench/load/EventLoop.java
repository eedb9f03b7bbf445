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
import java.util.concurrent.locks.LockSupport;

/// All connections of a load in one thread. A thread for each took more than twice the processor
/// time, which the server that is measured was then short of.
final class EventLoop implements Callable<Tally>, AutoCloseable {
    /// So that the end of a window is noticed when nothing else happens.
    private static final long NAP_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Pace pace;
    private final Course course;
    private final Selector selector = Selector.open();
    private final List<Connection> connections = new ArrayList<>();

    /// In turns, so that none is silent for so long that the server closes it.
    private final Deque<Connection> free = new ArrayDeque<>();

    private Tally tally = new Tally();
    private long checkedNanos = System.nanoTime();

    EventLoop(Pace pace, Course course) throws IOException {
        this.pace = pace;
        this.course = course;
    }

    void add(Worker worker) throws IOException {
        var connection = new Connection(worker, selector);
        connections.add(connection);
        free.add(connection);
    }

    @Override
    public Tally call() throws IOException {
        pace.start(System.nanoTime());
        turnWhile(Phase.WARM_UP);
        tally.forget();
        course.forget();
        turnWhile(Phase.COUNTED);
        Tally counted = tally;
        // What was begun comes to its end, as half a life would be in the way of the next
        // measurement; but it is no part of the window.
        tally = new Tally();
        while (free.size() < connections.size()) {
            proceed(NAP_NANOS);
        }
        return counted;
    }

    /// The phase is looked at out here, once a turn. A branch further in that is taken first when
    /// the window begins would have the hot code compiled again within the window.
    private void turnWhile(Phase wanted) throws IOException {
        while (course.phase() == wanted) {
            long waitNanos = beginWhatIsDue();
            if (free.size() == connections.size()) {
                // While nothing is under way nothing comes, so this may sleep to the point; a
                // selector knows milliseconds only, and what it oversleeps is charged to the
                // server.
                LockSupport.parkNanos(waitNanos);
            } else {
                proceed(waitNanos);
            }
        }
    }

    /// @return how long there is nothing more to begin
    private long beginWhatIsDue() throws IOException {
        while (!free.isEmpty()) {
            long now = System.nanoTime();
            long due = pace.dueNanos(now);
            if (due > now) {
                return Math.min(due - now, NAP_NANOS);
            }
            pace.begun();
            free.removeFirst().begin(due);
        }
        return NAP_NANOS;
    }

    private void proceed(long waitNanos) throws IOException {
        try {
            // Rounded up, as no time at all would be for ever.
            selector.select(this::proceed, TimeUnit.NANOSECONDS.toMillis(waitNanos) + 1);
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
                course.stepEnded();
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
