package io.orchestrion.jobs.runner;

import io.orchestrion.jobs.JobFailure;
import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.catalogue.Load;
import io.orchestrion.jobs.catalogue.Seeded;
import io.orchestrion.jobs.catalogue.WorkKind;
import io.orchestrion.jobs.handler.JobFailedException;
import io.orchestrion.jobs.handler.Produced;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.Semaphore;

/// Does what a work kind says: lasts its time, loads the machine in its way, gives its output, and
/// ends well or badly. Whatever it uses of the machine is bounded and given back.
final class SimulatedWork {
    private static final int CHUNK = 1024 * 1024;
    private static final int CHUNKS = 32;

    /// The most chunks that all memory spikes of a process may take together. A spike that finds
    /// none left goes without: it is there to load the machine, not to bring it down.
    private static final Semaphore MEMORY = new Semaphore(2 * CHUNKS);

    private static final int FILE_BLOCK = 64 * 1024;
    private static final int FILE_BLOCKS = 128;
    private static final int SMALL_PIECE = 256;

    private final double scale;

    SimulatedWork(double scale) {
        this.scale = scale;
    }

    Produced run(RunContext context) throws Exception {
        JobDefinition definition = context.definition();
        @Nullable WorkKind kind = WorkKind.named(definition.workKind());
        var time = new SimulatedTime(context, scale);
        var output = new SimulatedOutput(definition.seedMs());
        int size = definition.payloadSizeBytes();
        switch (kind == null ? Load.WAIT : kind.load()) {
            case WAIT -> time.until(definition.durationMs());
            case CPU -> burn(context, time, definition);
            case MEMORY -> spike(time, definition);
            case DISK -> writeAndRead(time, definition);
            case SMALL_PIECES -> {
                size -= pieces(time, definition, output);
                time.until(definition.durationMs());
            }
        }
        boolean fails = kind == null ? definition.shouldFail() : kind.failsOn(context.attempt());
        if (fails) {
            throw new JobFailedException(
                    JobFailure.SIMULATED,
                    definition.workKind() + " fails on attempt " + context.attempt(),
                    kind != null && kind.retryable());
        }
        output.write(size);
        return output.produced();
    }

    /// Turns for a few milliseconds, looks up, and turns on.
    private static void burn(RunContext context, SimulatedTime time, JobDefinition definition)
            throws InterruptedException, TimeOver {
        MessageDigest digest = Produced.newDigest();
        byte[] block = new byte[4096];
        long end = time.reached(definition.durationMs());
        while (System.nanoTime() < end && !context.cancelled()) {
            digest.update(block);
        }
        block[0] = digest.digest()[0];
        time.until(definition.durationMs());
    }

    private static void spike(SimulatedTime time, JobDefinition definition)
            throws InterruptedException, TimeOver {
        List<byte[]> held = new ArrayList<>();
        try {
            for (int i = 0; i < CHUNKS; i++) {
                if (MEMORY.tryAcquire()) {
                    byte[] chunk = new byte[CHUNK];
                    held.add(chunk);
                    Arrays.fill(chunk, (byte) i);
                }
                time.until((double) definition.durationMs() * (i + 1) / CHUNKS);
            }
        } finally {
            MEMORY.release(held.size());
        }
    }

    /// The file has no name by the time anything is in it, so that a killed process leaves none.
    private static void writeAndRead(SimulatedTime time, JobDefinition definition)
            throws IOException, InterruptedException, TimeOver, JobFailedException {
        Path file = Files.createTempFile("orchestrion-job-", ".io");
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            var bytes = new Seeded(definition.seedMs());
            byte[] block = new byte[FILE_BLOCK];
            MessageDigest written = Produced.newDigest();
            for (int i = 0; i < FILE_BLOCKS; i++) {
                bytes.fill(block, 0, FILE_BLOCK);
                written.update(block);
                writeAll(channel, ByteBuffer.wrap(block));
                time.until((double) definition.durationMs() * (i + 1) / (FILE_BLOCKS + 1));
            }
            if (!Arrays.equals(written.digest(), digestOf(channel))) {
                throw new JobFailedException(
                        "TEMPORARY_FILE_DAMAGED", "what was read is not what was written", true);
            }
        } finally {
            Files.deleteIfExists(file);
        }
        time.until(definition.durationMs());
    }

    private static void writeAll(FileChannel channel, ByteBuffer bytes) throws IOException {
        while (bytes.hasRemaining()) {
            channel.write(bytes);
        }
    }

    private static byte[] digestOf(FileChannel channel) throws IOException {
        MessageDigest read = Produced.newDigest();
        ByteBuffer buffer = ByteBuffer.allocate(FILE_BLOCK);
        channel.position(0);
        while (channel.read(buffer) >= 0) {
            read.update(buffer.flip());
            buffer.clear();
        }
        return read.digest();
    }

    /// Many small outputs over the whole time; says how much they were together.
    private static int pieces(SimulatedTime time, JobDefinition definition, SimulatedOutput output)
            throws InterruptedException, TimeOver {
        int pieces = definition.payloadSizeBytes() / SMALL_PIECE;
        for (int i = 0; i < pieces; i++) {
            output.write(SMALL_PIECE);
            time.until((double) definition.durationMs() * (i + 1) / pieces);
        }
        return pieces * SMALL_PIECE;
    }
}
