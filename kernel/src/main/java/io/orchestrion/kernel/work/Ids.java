package io.orchestrion.kernel.work;

import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.random.RandomGenerator;

/// Makes ids and lease tokens. An id is a UUID of version 7 whose time is the database's and whose
/// next 26 bits count up, so that the order of ids is the order of creation, which claims and lists
/// rest on.
public final class Ids {
    private static final int COUNTER_BITS = 26;

    private final RandomGenerator random;
    private final AtomicLong counter;

    public Ids(RandomGenerator random) {
        this.random = random;
        this.counter = new AtomicLong(random.nextLong() >>> 40);
    }

    public UUID next(long nowMs) {
        long count = counter.getAndIncrement() & ((1L << COUNTER_BITS) - 1);
        long high = (nowMs << 16) | 0x7000 | (count >>> 14);
        long low = 0x8000_0000_0000_0000L | ((count & 0x3fff) << 48) | (random.nextLong() >>> 16);
        return new UUID(high, low);
    }

    /// 122 random bits, which nobody can guess.
    public UUID token() {
        long high = (random.nextLong() & ~0xf000L) | 0x4000L;
        long low = (random.nextLong() >>> 2) | 0x8000_0000_0000_0000L;
        return new UUID(high, low);
    }

    public RandomGenerator random() {
        return random;
    }
}
