package io.orchestrion.sdk;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.locks.LockSupport;

/// A stream of an answer whose reads do not wait for ever. Java's HTTP client has no time limit for
/// a body: a thread of its own closes the stream when a read has waited too long.
final class WatchedStream extends FilterInputStream {
    private static final int LOOKS = 4;

    private final Duration longest;

    /// When the read began that is under way; 0 for none.
    private volatile long readSince;

    private volatile boolean closed;
    private volatile boolean stalled;

    WatchedStream(InputStream stream, Duration longest) {
        super(stream);
        this.longest = longest;
        Thread.ofVirtual().name("orchestrion-download").start(this::watch);
    }

    private void watch() {
        while (!closed) {
            LockSupport.parkNanos(longest.toNanos() / LOOKS);
            long since = readSince;
            if (since != 0 && System.nanoTime() - since > longest.toNanos()) {
                stalled = true;
                try {
                    close();
                } catch (IOException e) {
                    // The read that waits gets an exception either way.
                }
            }
        }
    }

    /// A read of the stream below.
    private interface Read {
        int read() throws IOException;
    }

    private int watched(Read read) throws IOException {
        readSince = System.nanoTime() | 1;
        try {
            return read.read();
        } catch (IOException e) {
            throw stalled
                    ? new IOException("nothing came for " + longest.toSeconds() + " s", e)
                    : e;
        } finally {
            readSince = 0;
        }
    }

    @Override
    public int read() throws IOException {
        return watched(super::read);
    }

    @Override
    public int read(byte[] into, int from, int length) throws IOException {
        return watched(() -> super.read(into, from, length));
    }

    @Override
    public void close() throws IOException {
        closed = true;
        super.close();
    }
}
