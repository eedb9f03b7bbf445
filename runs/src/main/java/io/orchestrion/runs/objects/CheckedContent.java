package io.orchestrion.runs.objects;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;

/// The whole of an object while it is read. Its last byte is given out only when all of it has the
/// size and the SHA-256 that were written, so a reader never takes damaged content for whole.
public final class CheckedContent extends FilterInputStream {
    private final ObjectKey key;
    private final long size;
    private final String sha256;
    private final Sha256 seen = new Sha256();
    private long read;
    private boolean checked;

    public CheckedContent(InputStream content, ObjectKey key, long size, String sha256) {
        super(content);
        this.key = key;
        this.size = size;
        this.sha256 = sha256;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        int n = in.read(into, offset, length);
        if (n > 0) {
            read += n;
            seen.add(into, offset, n);
        }
        if (!checked && (n < 0 || read >= size)) {
            checked = true;
            if (read != size || !seen.hex().equals(sha256)) {
                throw new IOException("the content of " + key + " is not what was written");
            }
        }
        return n;
    }

    @Override
    public long skip(long bytes) throws IOException {
        throw new IOException("content that is checked is read from its first byte on");
    }

    @Override
    public boolean markSupported() {
        return false;
    }
}
