package io.orchestrion.kernel.sweep;

import io.orchestrion.kernel.db.StoreException;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.util.List;
import java.util.function.ToIntFunction;

/// One pass over many targets. A target that fails does not keep the others from their turn.
public final class Sweeps {
    private static final Logger log = LoggerFactory.getLogger(Sweeps.class);

    private Sweeps() {}

    /// The sum of the changes. The pass itself fails when every target failed. It fails at once
    /// when the store did, because no target caused that.
    public static <T> int each(String duty, List<T> targets, ToIntFunction<T> body) {
        int changed = 0;
        int failed = 0;
        @Nullable RuntimeException last = null;
        for (T target : targets) {
            try {
                changed += body.applyAsInt(target);
            } catch (RuntimeException e) {
                if (StoreException.ofWholeStore(e)) {
                    throw e;
                }
                log.warn("{} could not do {}", duty, target, e);
                failed++;
                last = e;
            }
        }
        if (last != null && failed == targets.size()) {
            throw last;
        }
        return changed;
    }
}
