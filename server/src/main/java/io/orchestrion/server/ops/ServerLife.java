package io.orchestrion.server.ops;

import io.orchestrion.server.exit.StartFailure;
import io.orchestrion.server.settings.Settings;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/// Opens database and engine in order, and closes what was opened in the opposite order, once,
/// whichever thread asks first.
final class ServerLife {
    private static final Logger LOG = LoggerFactory.getLogger(ServerLife.class);

    private final DatabaseSource databases;
    private final Engine engine;
    private final StartClock clock = new StartClock();
    private final Deque<Runnable> open = new ArrayDeque<>();
    private volatile Engine.@Nullable Running running;
    private volatile boolean closed;

    ServerLife(DatabaseSource databases, Engine engine) {
        this.databases = databases;
        this.engine = engine;
    }

    Banner start(Settings settings, Progress progress) throws StartFailure {
        try {
            OpenDatabase database = databases.open(settings, progress);
            own(database::close);
            progress.step("Starting the server");
            Engine.Running started = engine.start(database, settings);
            own(started::close);
            running = started;
            return new Banner(
                    ProductVersion.current(),
                    settings.host(),
                    started.port(),
                    settings.data().toString(),
                    database.description(),
                    started.keyFile(),
                    clock.millis());
        } finally {
            progress.done();
        }
    }

    /// Whether everything in flight came to its end in time.
    boolean drain(int seconds, StopSignals signals) throws InterruptedException {
        Engine.Running serving = running;
        if (serving == null) {
            return true;
        }
        Thread draining = Thread.ofPlatform().daemon().name("drain").start(serving::drain);
        boolean drained = signals.awaitEnd(draining, Duration.ofSeconds(seconds).toMillis());
        draining.interrupt();
        return drained;
    }

    /// A second caller waits until the first is done: the virtual machine must not go down in
    /// between.
    void close() {
        synchronized (open) {
            closed = true;
            while (!open.isEmpty()) {
                closeQuietly(open.pop());
            }
        }
    }

    private void own(Runnable close) {
        synchronized (open) {
            open.push(close);
        }
        if (closed) {
            // A signal came while this part was starting.
            close();
        }
    }

    private static void closeQuietly(Runnable part) {
        try {
            part.run();
        } catch (RuntimeException e) {
            LOG.warn("a part did not close well", e);
        }
    }
}
