package io.orchestrion.runs.objects;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.security.GeneralSecurityException;

/// A part of the content of an encrypted file, decrypted chunk by chunk while it is read.
final class SealedContent extends InputStream {
    private final ObjectKey key;
    private final FileChannel file;
    private final SealedFile.Chunks chunks;
    private final long chunksInAll;
    private final byte[] sealed = new byte[SealedFile.SEALED_BYTES];
    private final byte[] open = new byte[SealedFile.CHUNK_BYTES];
    private long nextChunk;
    private int at;
    private int filled;
    private long left;

    /// @param file is closed with it
    SealedContent(ObjectKey key, FileChannel file, SealedFile.Chunks chunks, long from, long length)
            throws IOException {
        this.key = key;
        this.file = file;
        this.chunks = chunks;
        this.chunksInAll = SealedFile.chunks(file.size());
        this.left = length;
        this.nextChunk = from / SealedFile.CHUNK_BYTES;
        // Also of an empty content one chunk is opened: it shows that the file is whole.
        if (nextChunk < chunksInAll) {
            fill();
            this.at = (int) (from % SealedFile.CHUNK_BYTES);
        }
        if (at > filled) {
            throw damaged(null);
        }
    }

    private void fill() throws IOException {
        boolean last = nextChunk == chunksInAll - 1;
        ByteBuffer into = ByteBuffer.wrap(sealed);
        long place = SealedFile.place(nextChunk);
        boolean more = true;
        while (more && into.hasRemaining()) {
            more = file.read(into, place + into.position()) > 0;
        }
        try {
            filled = chunks.turn(nextChunk, last, sealed, into.position(), open);
        } catch (GeneralSecurityException e) {
            throw damaged(e);
        }
        at = 0;
        nextChunk++;
    }

    private IOException damaged(@Nullable Exception why) {
        return new IOException("the file of " + key + " is damaged or of another key", why);
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
        if (at == filled) {
            if (nextChunk >= chunksInAll) {
                throw damaged(null);
            }
            fill();
        }
        int n = (int) Math.min(left, Math.min(length, filled - at));
        System.arraycopy(open, at, into, offset, n);
        at += n;
        left -= n;
        return n;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
