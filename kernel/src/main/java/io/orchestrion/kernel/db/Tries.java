package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/// Repeats a transaction that was rolled back, a few times. The pause before each try has a random
/// length, so that two transactions that met once do not meet again.
public final class Tries {
    private static final int MOST = 3;
    private static final int FIRST_PAUSE_MS = 10;

    private Tries() {}

    /// @param again the failures after which another try is worth it; each of them means that
    ///     nothing was written
    public static <T extends @Nullable Object> T run(
            Set<StoreException.Kind> again, Supplier<T> transaction) {
        for (int tries = 1; ; tries++) {
            try {
                return transaction.get();
            } catch (StoreException e) {
                if (tries == MOST || !again.contains(e.kind())) {
                    throw e;
                }
                pause(tries);
            }
        }
    }

    private static void pause(int tries) {
        try {
            Thread.sleep(ThreadLocalRandom.current().nextInt(1, FIRST_PAUSE_MS << (tries - 1)));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
