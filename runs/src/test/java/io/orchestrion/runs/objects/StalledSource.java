package io.orchestrion.runs.objects;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.Semaphore;

/// Gives all of its bytes, then says so and waits before it ends.
public final class StalledSource extends InputStream {
    public final Semaphore stalled = new Semaphore(0);
    public final Semaphore goOn = new Semaphore(0);
    private final ByteArrayInputStream bytes;

    public StalledSource(byte[] content) {
        bytes = new ByteArrayInputStream(content);
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int n = bytes.read(into, offset, length);
        if (n < 0) {
            stalled.release();
            goOn.acquireUninterruptibly();
        }
        return n;
    }
}
