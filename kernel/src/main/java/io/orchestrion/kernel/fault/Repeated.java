package io.orchestrion.kernel.fault;

import java.time.Duration;
import java.util.function.LongSupplier;

/// For a line of the log that each request would repeat while something lasts. It is logged at
/// once, and then at most once a minute with the number of times.
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

    /// How many times it happened since it was last logged, this one included; 0 when nothing is to
    /// be logged.
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
