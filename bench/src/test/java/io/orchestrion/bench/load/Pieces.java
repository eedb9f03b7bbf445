package io.orchestrion.bench.load;

import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Deque;

/// A channel that gives one piece a read, and then is at its end.
final class Pieces implements ReadableByteChannel {
    private final Deque<ByteBuffer> left = new ArrayDeque<>();

    Pieces(String... pieces) {
        for (String piece : pieces) {
            left.add(ByteBuffer.wrap(piece.getBytes(StandardCharsets.UTF_8)));
        }
    }

    @Override
    public int read(ByteBuffer into) {
        ByteBuffer piece = left.peek();
        if (piece == null) {
            return -1;
        }
        int count = Math.min(piece.remaining(), into.remaining());
        into.put(into.position(), piece, piece.position(), count);
        into.position(into.position() + count);
        piece.position(piece.position() + count);
        if (!piece.hasRemaining()) {
            left.remove();
        }
        return count;
    }

    @Override
    public boolean isOpen() {
        return true;
    }

    @Override
    public void close() {}
}
