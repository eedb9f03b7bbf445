package io.orchestrion.kernel.schedule;

import java.time.Duration;

/// How much after its time a task becomes claimable: as good as random, and the same on every node.
final class Jitter {
    private Jitter() {}

    static long millis(Schedule schedule, long fireMs) {
        int seconds = schedule.definition().jitterSeconds();
        return seconds == 0
                ? 0
                : Math.floorMod(
                        mixed(
                                schedule.id().getMostSignificantBits()
                                        ^ mixed(
                                                schedule.id().getLeastSignificantBits()
                                                        ^ mixed(fireMs))),
                        Duration.ofSeconds(seconds).toMillis() + 1);
    }

    /// Spreads a small difference over all bits; the finalizer of MurmurHash3.
    private static long mixed(long value) {
        long mixed = (value ^ value >>> 33) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ mixed >>> 33) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ mixed >>> 33;
    }
}
