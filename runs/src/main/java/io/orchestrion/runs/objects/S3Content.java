package io.orchestrion.runs.objects;

import software.amazon.awssdk.core.ResponseInputStream;
import software.amazon.awssdk.core.exception.SdkException;

import java.io.FilterInputStream;
import java.io.IOException;

/// What the service sends of an object. Closed before its end, the connection is given up instead
/// of being read to the end.
final class S3Content extends FilterInputStream {
    private final ResponseInputStream<?> content;
    private long left;

    S3Content(ResponseInputStream<?> content, long length) {
        super(content);
        this.content = content;
        this.left = length;
    }

    @Override
    public int read() throws IOException {
        byte[] one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
    }

    @Override
    public int read(byte[] into, int offset, int length) throws IOException {
        if (left == 0) {
            return -1;
        }
        try {
            int n = content.read(into, offset, (int) Math.min(length, left));
            if (n < 0) {
                throw new IOException("the object service ended the content early");
            }
            left -= n;
            return n;
        } catch (SdkException e) {
            throw new IOException("the object service failed: " + e.getMessage(), e);
        }
    }

    @Override
    public boolean markSupported() {
        return false;
    }

    @Override
    public void close() throws IOException {
        if (left > 0) {
            content.abort();
        } else {
            content.close();
        }
    }
}
