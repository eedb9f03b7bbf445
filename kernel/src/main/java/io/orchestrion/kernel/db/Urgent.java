package io.orchestrion.kernel.db;

import java.util.concurrent.Callable;

/// Marks what a holder of a lease asks for: it does not wait behind others for a connection.
public final class Urgent {
    private static final ScopedValue<Boolean> MARK = ScopedValue.newInstance();

    private Urgent() {}

    public static <T> T during(Callable<T> body) throws Exception {
        return ScopedValue.where(MARK, true).call(body::call);
    }

    static boolean marked() {
        return MARK.isBound();
    }
}
