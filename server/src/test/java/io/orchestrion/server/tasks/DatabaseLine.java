package io.orchestrion.server.tasks;

import io.orchestrion.kernel.KernelOptions;
import io.orchestrion.kernel.db.DatabaseOptions;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/// The wire between a kernel and its database, to be cut: what is open breaks, nothing new gets
/// through until it is mended.
public final class DatabaseLine implements AutoCloseable {
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile int databasePort;
    private volatile boolean cut;
    private final AtomicLong questions = new AtomicLong();

    public DatabaseLine() {
        try {
            listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        Thread.ofVirtual().start(this::accept);
    }

    /// The same kernel, by way of this line.
    public KernelOptions through(KernelOptions options) {
        DatabaseOptions direct = options.database();
        URI uri = URI.create(direct.jdbcUrl().substring("jdbc:".length()));
        databasePort = uri.getPort();
        return options.withDatabase(
                new DatabaseOptions(
                        direct.jdbcUrl().replace(":" + databasePort, ":" + listener.getLocalPort()),
                        direct.user(),
                        direct.password(),
                        direct.schema(),
                        direct.poolSize(),
                        direct.poolWait(),
                        direct.statementTimeout(),
                        direct.transactionTimeout(),
                        direct.lockTimeout(),
                        direct.connectTimeout()));
    }

    /// The same, which asks the database for nothing by itself: what goes through was asked for.
    public KernelOptions throughAtRest(KernelOptions options) {
        return through(options.withPace(Duration.ofHours(1), Duration.ofHours(1), false));
    }

    public void cut() {
        cut = true;
        open.forEach(DatabaseLine::end);
        open.clear();
    }

    public void mend() {
        cut = false;
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket near = listener.accept();
                if (cut) {
                    near.close();
                    continue;
                }
                Socket far = new Socket(InetAddress.getLoopbackAddress(), databasePort);
                open.add(near);
                open.add(far);
                var answered = new AtomicBoolean(true);
                Thread.ofVirtual().start(() -> copy(near, far, () -> asked(answered)));
                Thread.ofVirtual().start(() -> copy(far, near, () -> answered.set(true)));
            } catch (IOException e) {
                // The listener was closed, or one connection failed: the others go on.
            }
        }
    }

    private void asked(AtomicBoolean answered) {
        if (answered.getAndSet(false)) {
            questions.incrementAndGet();
        }
    }

    /// How often the kernel said something after the database had answered: round trips.
    long roundTrips() {
        return questions.get();
    }

    private static void copy(Socket from, Socket to, Runnable seen) {
        byte[] buffer = new byte[64 * 1024];
        try {
            int read = from.getInputStream().read(buffer);
            while (read >= 0) {
                seen.run();
                to.getOutputStream().write(buffer, 0, read);
                read = from.getInputStream().read(buffer);
            }
        } catch (IOException e) {
            // One side is gone: the other one goes with it.
        }
        end(from);
        end(to);
    }

    private static void end(Socket socket) {
        try {
            socket.close();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    public void close() throws IOException {
        cut();
        listener.close();
    }
}
