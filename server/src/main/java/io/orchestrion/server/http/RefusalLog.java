package io.orchestrion.server.http;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/// Says now and then how many calls were refused because there was too much to do. A line for each
/// would be more of it.
final class RefusalLog {
    private static final Logger LOG = LoggerFactory.getLogger(RefusalLog.class);
    private static final Duration PAUSE = Duration.ofSeconds(10);

    private final LongSupplier nanos;
    private final AtomicLong count = new AtomicLong();
    private final AtomicLong nextNanos;

    RefusalLog(LongSupplier nanos) {
        this.nanos = nanos;
        this.nextNanos = new AtomicLong(nanos.getAsLong());
    }

    void one() {
        count.incrementAndGet();
        long now = nanos.getAsLong();
        long next = nextNanos.get();
        if (now - next >= 0 && nextNanos.compareAndSet(next, now + PAUSE.toNanos())) {
            LOG.warn(
                    "there is more to do than this node can: {} requests were refused since this"
                            + " was last said",
                    count.getAndSet(0));
        }
    }
}
