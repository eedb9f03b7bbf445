package io.orchestrion.kernel.combine;

import io.orchestrion.kernel.db.Deadline;
import io.orchestrion.kernel.db.StoreException;
import io.orchestrion.kernel.db.StoreException.Kind;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/// The pauses between the tries of a request that a lane left undone, because another session holds
/// a row that it needs. The lane itself never waits for such a row. The caller's thread pauses and
/// sends the request again, so that no other request waits behind it (decision 148).
public final class Returning {
    private static final long FIRST_PAUSE_NANOS = 1_000_000;
    private static final long LONGEST_PAUSE_NANOS = 32_000_000;

    private final long untilNanos;
    private final String held;
    private long pauseNanos = FIRST_PAUSE_NANOS;

    /// @param patience how long to try
    /// @param held what another session holds, as the end of the sentence that says so
    public Returning(Duration patience, String held) {
        this.untilNanos = System.nanoTime() + patience.toNanos();
        this.held = held;
    }

    /// Waits until the next try; throws when the caller's time is over.
    public void pause() {
        if (System.nanoTime() - untilNanos > 0) {
            throw new StoreException(Kind.OVERLOADED, "another session holds " + held);
        }
        Deadline.check();
        try {
            Thread.sleep(
                    Duration.ofNanos(
                            ThreadLocalRandom.current().nextLong(pauseNanos / 2, pauseNanos)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StoreException(Kind.OVERLOADED, "interrupted", e, "");
        }
        pauseNanos = Math.min(2 * pauseNanos, LONGEST_PAUSE_NANOS);
    }
}
