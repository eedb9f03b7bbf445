package io.orchestrion.kernel.memory;

import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.function.ToLongFunction;

/// Room in memory for documents that are being read from the database. How long they are is known
/// only when they are here, so each read takes room for the longest that there can be, and gives it
/// back when what it got is counted. Reads that do not fit wait in order: a read is short.
public final class DocumentRoom {
    /// A document is held up to three times: by the driver, as text, and in an answer.
    private static final int COPIES = 3;

    private static final int KIB = 1024;

    private final int size;
    private final Semaphore kibs;
    private final Duration wait;

    /// @param bytes of all reads at once
    /// @param wait how long a read waits for room before it is refused as overload
    public DocumentRoom(long bytes, Duration wait) {
        this.size = (int) Math.clamp(bytes / KIB, 1, Integer.MAX_VALUE);
        this.kibs = new Semaphore(size, true);
        this.wait = wait;
    }

    /// Reads documents, and counts their bytes for the request of this thread.
    ///
    /// @param count how many there can be
    /// @param bytesEach how long each can be
    /// @param length of all that were read
    public <T> T reading(int count, int bytesEach, Supplier<T> read, ToLongFunction<T> length) {
        int room = (int) Math.min(size, Math.max(1, (long) count * bytesEach * COPIES / KIB));
        enter(room);
        try {
            T got = read.get();
            Carried.add(length.applyAsLong(got) * COPIES);
            return got;
        } finally {
            kibs.release(room);
        }
    }

    private void enter(int room) {
        try {
            if (!kibs.tryAcquire(room, Deadline.nanosLeft(wait.toNanos()), TimeUnit.NANOSECONDS)) {
                Deadline.check();
                throw new StoreException(
                        Kind.OVERLOADED, "no room for what would be read was free within " + wait);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.UNAVAILABLE, "interrupted", e, "");
        }
    }
}
