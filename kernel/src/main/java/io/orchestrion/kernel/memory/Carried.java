package io.orchestrion.kernel.memory;

import java.util.concurrent.Callable;
import java.util.function.LongConsumer;

/// Tells whoever counts what requests hold of the process's memory how much the request of this
/// thread has got from the database.
public final class Carried {
    private static final ScopedValue<LongConsumer> COUNTER = ScopedValue.newInstance();

    private Carried() {}

    /// Runs the body with its thread's bytes told to the counter.
    public static <T> T counting(LongConsumer counter, Callable<T> body) throws Exception {
        return ScopedValue.where(COUNTER, counter).call(body::call);
    }

    /// So many bytes are in the hands of this thread now. Nothing where nobody counts.
    public static void add(long bytes) {
        if (bytes > 0 && COUNTER.isBound()) {
            COUNTER.get().accept(bytes);
        }
    }
}
