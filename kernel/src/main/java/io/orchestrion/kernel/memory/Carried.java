package io.orchestrion.kernel.memory;

import java.util.concurrent.Callable;
import java.util.function.LongConsumer;

/// Counts how many bytes the request of this thread has read from the database, for the bound on
/// the process's memory.
public final class Carried {
    private static final ScopedValue<LongConsumer> COUNTER = ScopedValue.newInstance();

    private Carried() {}

    /// Runs the body with its thread's bytes told to the counter.
    public static <T> T counting(LongConsumer counter, Callable<T> body) throws Exception {
        return ScopedValue.where(COUNTER, counter).call(body::call);
    }

    /// The request of this thread holds so many bytes more. Without a counter it does nothing.
    public static void add(long bytes) {
        if (bytes > 0 && COUNTER.isBound()) {
            COUNTER.get().accept(bytes);
        }
    }
}
