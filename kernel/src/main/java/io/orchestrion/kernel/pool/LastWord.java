package io.orchestrion.kernel.pool;

import io.orchestrion.kernel.db.StoreException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;

/// Sends a holder's final report, again and again while the database is away.
public final class LastWord {
    private static final Logger log = LoggerFactory.getLogger(LastWord.class);

    /// How long it waits before it says it again.
    public static final long TRY_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

    private LastWord() {}

    /// Says it until it is heard, for as long as there is use in it; null when it was not.
    ///
    /// @param useful whether the lease would still be there after one more pause
    public static <T> @Nullable T say(String what, Supplier<T> word, BooleanSupplier useful) {
        while (true) {
            try {
                return word.get();
            } catch (StoreException e) {
                if (e.kind() == StoreException.Kind.REJECTED) {
                    throw e;
                }
                log.debug("{} not told: {}", what, e.getMessage());
                if (!useful.getAsBoolean()) {
                    return null;
                }
                rest();
            }
        }
    }

    private static void rest() {
        try {
            TimeUnit.NANOSECONDS.sleep(TRY_AGAIN_NANOS);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts who says its last word", e);
        }
    }
}
