package io.orchestrion.jobs.catalogue;

/// Numbers from a seed, spelt out here so that no library's change of mind can change what a
/// stored seed means. Seeds are times and follow each other closely, so every step mixes all bits
/// (SplitMix64).
public final class Seeded {
    private static final long STEP = 0x9E3779B97F4A7C15L;
    private static final double UNIT = 0x1.0p-53;

    private long state;

    public Seeded(long seed) {
        this.state = seed;
    }

    public long nextLong() {
        state += STEP;
        long mixed = state;
        mixed = (mixed ^ (mixed >>> 30)) * 0xBF58476D1CE4E5B9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94D049BB133111EBL;
        return mixed ^ (mixed >>> 31);
    }

    /// From 0 up to, and not including, 1.
    public double nextDouble() {
        return (nextLong() >>> 11) * UNIT;
    }

    /// From 0 up to, and not including, the bound. Its unevenness is below 2⁻⁵⁰ for the few dozen
    /// kinds that are chosen from.
    public int nextInt(int bound) {
        if (bound < 1) {
            throw new IllegalArgumentException("bound " + bound + ": at least 1");
        }
        return (int) Long.remainderUnsigned(nextLong(), bound);
    }

    public void fill(byte[] bytes, int from, int to) {
        int at = from;
        while (at < to) {
            long word = nextLong();
            for (int i = 0; i < Long.BYTES && at < to; i++) {
                bytes[at++] = (byte) word;
                word >>>= Byte.SIZE;
            }
        }
    }
}
