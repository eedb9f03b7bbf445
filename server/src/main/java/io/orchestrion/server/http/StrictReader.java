package io.orchestrion.server.http;

import io.helidon.common.buffers.BufferData;
import io.helidon.common.buffers.DataReader;
import io.helidon.http.DirectHandler.EventType;
import io.helidon.http.RequestException;
import io.helidon.http.Status;

import java.util.function.IntConsumer;
import java.util.function.Supplier;

/// Helidon's reader of a connection without two leniencies of 4.5.0 in chunked bodies: a line with
/// a chunk's size may be endless and is then held in memory, and the two bytes after a chunk are
/// skipped without a look at them.
@SuppressWarnings(
        "removal") // The constructor is deprecated in favour of a factory, and a factory cannot be
// overridden.
final class StrictReader extends DataReader {
    /// A size has at most 16 digits; extensions are refused by Helidon anyway.
    private static final int CHUNK_LINE_MAX = 64;

    private final int chunkBytesMax;
    private final IntConsumer chunkComes;
    private byte[] lastRead = new byte[0];
    private boolean sizeRead;

    /// @param chunkComes told the length of each chunk before it is read
    StrictReader(Supplier<byte[]> source, int chunkBytesMax, IntConsumer chunkComes) {
        super(source);
        this.chunkComes = chunkComes;
        this.chunkBytesMax = chunkBytesMax;
    }

    @Override
    public byte[] readBytes(int length) {
        lastRead = super.readBytes(length);
        return lastRead;
    }

    /// Whether the request line that was just read begins with this method, in these very letters:
    /// Helidon takes `get` for `GET`, and a method's name is case-sensitive.
    boolean begins(String method) {
        for (int i = 0; i < method.length(); i++) {
            if (i >= lastRead.length || lastRead[i] != method.charAt(i)) {
                return false;
            }
        }
        return true;
    }

    /// Helidon reads lines only for the sizes of chunks and for the end of the last one.
    @Override
    public String readLine() {
        int length = findNewLine(CHUNK_LINE_MAX);
        if (length >= CHUNK_LINE_MAX) {
            throw broken("Chunk size line too long");
        }
        // readAsciiString(0) would wait for a byte that need not come.
        String line = length == 0 ? "" : readAsciiString(length);
        skip(2);
        // Helidon 4.5.0 takes "+2" for 2, and lets a NumberFormatException out for what is no
        // number.
        if (!isHex(line)) {
            throw broken("Chunk size is invalid");
        }
        sizeRead = !line.isEmpty();
        return line;
    }

    private static boolean isHex(String line) {
        for (int i = 0; i < line.length(); i++) {
            if (Character.digit(line.charAt(i), 16) < 0) {
                return false;
            }
        }
        return true;
    }

    /// A chunk is read as one buffer, so its announced size is what a client can make the server
    /// hold.
    @Override
    public BufferData readBuffer(int length) {
        if (length > chunkBytesMax) {
            throw RequestException.builder()
                    .type(EventType.BAD_REQUEST)
                    .status(Status.REQUEST_ENTITY_TOO_LARGE_413)
                    .setKeepAlive(false)
                    .message("Chunk too large")
                    .build();
        }
        // A body without chunks is read as it arrives, a little at a time.
        if (sizeRead) {
            sizeRead = false;
            chunkComes.accept(length);
        }
        BufferData data = getBuffer(length);
        super.skip(length);
        return data;
    }

    /// Two bytes are skipped only where a line ends: after the request line, a header, a size or a
    /// chunk.
    @Override
    public void skip(int length) {
        if (length == 2 && !startsWithNewLine()) {
            throw broken("Line break expected");
        }
        super.skip(length);
    }

    private static RequestException broken(String message) {
        return RequestException.builder()
                .type(EventType.BAD_REQUEST)
                .setKeepAlive(false)
                .message(message)
                .build();
    }
}
