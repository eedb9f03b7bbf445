package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Supplier;

/// Does a transaction again that left nothing behind, a few times, each time after a pause of
/// random length: two that were in each other's way are not to meet once more.
public final class Tries {
    private static final int MOST = 3;
    private static final int FIRST_PAUSE_MS = 10;

    private Tries() {}

    /// @param again after which failures it is worth another try; nothing was written in any of
    ///     them
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
