package io.orchestrion.kernel.fault;

import java.time.Duration;
import java.util.function.LongSupplier;

/// For a line of the log that would come with every request while something lasts: it is said at
/// once, and then at most once a minute with how often it came.
public final class Repeated {
    private static final long REST_NANOS = Duration.ofMinutes(1).toNanos();

    private final LongSupplier nanos;
    private long count;
    private long saidNanos;
    private boolean said;

    public Repeated() {
        this(System::nanoTime);
    }

    public Repeated(LongSupplier nanos) {
        this.nanos = nanos;
    }

    /// How often it came since it was last said, this time included; 0 when nothing is to be said.
    public synchronized long due() {
        count++;
        long now = nanos.getAsLong();
        if (said && now - saidNanos < REST_NANOS) {
            return 0;
        }
        said = true;
        saidNanos = now;
        long times = count;
        count = 0;
        return times;
    }
}
