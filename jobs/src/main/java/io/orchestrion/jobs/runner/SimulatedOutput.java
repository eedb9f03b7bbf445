package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.catalogue.Seeded;
import io.orchestrion.jobs.handler.Produced;

import java.security.MessageDigest;

/// The output of simulated work: bytes that follow from the seed, made piece by piece and not kept.
/// The pieces' sizes do not change the bytes.
final class SimulatedOutput {
    private static final int BLOCK = 8192;

    private final Seeded bytes;
    private final MessageDigest digest = Produced.newDigest();
    private long size;

    SimulatedOutput(long seed) {
        bytes = new Seeded(seed);
    }

    /// All of it at once.
    static Produced of(long seed, int size) {
        var output = new SimulatedOutput(seed);
        output.write(size);
        return output.produced();
    }

    /// @param count a multiple of eight for all pieces but the last
    void write(int count) {
        byte[] block = new byte[Math.min(count, BLOCK)];
        int left = count;
        while (left > 0) {
            int now = Math.min(left, block.length);
            bytes.fill(block, 0, now);
            digest.update(block, 0, now);
            left -= now;
        }
        size += count;
    }

    Produced produced() {
        return new Produced(size, Produced.hex(digest.digest()), null);
    }
}
