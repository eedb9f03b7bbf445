package io.orchestrion.kernel.limit;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;

/// How long the last thousand calls took. Writing is one atomic step and waits for nobody.
public final class Latencies {
    private static final int KEPT = 1024;

    private final AtomicLong calls = new AtomicLong();
    private final AtomicLongArray nanos = new AtomicLongArray(KEPT);

    void add(long tookNanos) {
        nanos.set((int) (calls.getAndIncrement() % KEPT), tookNanos);
    }

    /// @param calls since the start
    /// @param p99Nanos of the last thousand; zero before the first
    public record Reading(long calls, long p50Nanos, long p99Nanos) {}

    public Reading read() {
        long count = calls.get();
        long[] kept = new long[(int) Math.min(count, KEPT)];
        for (int i = 0; i < kept.length; i++) {
            kept[i] = nanos.get(i);
        }
        Arrays.sort(kept);
        return new Reading(count, at(kept, 0.5), at(kept, 0.99));
    }

    private static long at(long[] sorted, double share) {
        return sorted.length == 0
                ? 0
                : sorted[(int) Math.min(sorted.length - 1, Math.ceil(share * sorted.length))];
    }
}
