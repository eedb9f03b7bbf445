package io.orchestrion.server.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// What a streamed answer is written to. It belongs to the thread of its call; only [#wake] may be
/// called by others.
public final class AnswerStream {
    /// Writes the body of a streamed answer, and returns when there is no more or when the stream
    /// is ending. A failure cuts the connection, so that the client cannot take the part for the
    /// whole.
    @FunctionalInterface
    public interface Writer {
        void write(AnswerStream out) throws Exception;
    }

    private final OutputStream out;
    private final Capacity capacity;
    private final BytesInFlight.Hold hold;
    private final Watchdog watchdog;
    private final Duration writeTime;
    private final Semaphore woken = new Semaphore(0);

    AnswerStream(
            OutputStream out,
            Capacity capacity,
            BytesInFlight.Hold hold,
            Watchdog watchdog,
            Duration writeTime) {
        this.out = out;
        this.capacity = capacity;
        this.hold = hold;
        this.watchdog = watchdog;
        this.writeTime = writeTime;
    }

    /// Hands the bytes to the client, each time within the write time.
    ///
    /// @throws IOException when the client is gone or does not read
    public void write(byte[] bytes) throws IOException {
        write(bytes, 0, bytes.length);
    }

    /// The same for a part of an array.
    ///
    /// @throws IOException when the client is gone or does not read
    public void write(byte[] bytes, int offset, int length) throws IOException {
        hold.add(length);
        try {
            handed(
                    () -> {
                        out.write(bytes, offset, length);
                        out.flush();
                    });
        } finally {
            hold.give(length);
        }
    }

    private interface Handing {
        void run() throws IOException;
    }

    private void handed(Handing handing) throws IOException {
        Watchdog.Watch watch = watchdog.arm(writeTime);
        try {
            handing.run();
        } catch (RuntimeException e) {
            // Helidon has several of its own for a socket that takes no more.
            throw new IOException("The client is gone or does not read", e);
        } finally {
            watchdog.disarm(watch);
        }
    }

    /// True when the server stops: the writer writes no more and returns.
    public boolean ending() {
        return capacity.draining();
    }

    /// Waits until woken, by [#wake] or because the server stops, or until the time is over; true
    /// when woken. Being woken before the call counts.
    public boolean await(Duration atMost) throws InterruptedException {
        boolean was = woken.tryAcquire(atMost.toNanos(), TimeUnit.NANOSECONDS);
        woken.drainPermits();
        return was;
    }

    /// Ends the writer's wait, the present or the next.
    public void wake() {
        woken.release();
    }

    /// @param end says to the client that nothing more comes
    void run(Writer writer, Runnable end) throws Exception {
        try (var _ = capacity.whenDraining(this::wake)) {
            writer.write(this);
        }
        handed(
                () -> {
                    out.close();
                    end.run();
                });
    }
}
