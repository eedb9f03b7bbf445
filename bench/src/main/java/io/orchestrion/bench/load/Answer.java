package io.orchestrion.bench.load;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ReadableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/// An answer, as it comes in piece by piece. What is needed of it is looked up among its bytes: to
/// read the JSON of every answer would measure a JSON library.
public final class Answer {
    private static final byte[] LENGTH = ascii("content-length:");
    private static final byte[] NO_TASK = ascii("{\"task\":null");
    private static final byte[] TASK = ascii("\"task\":{");
    private static final byte[] ID = ascii("\"id\":\"");
    private static final byte[] RUN = ascii("\"id\":\"run_");
    private static final byte[] LEASE_TOKEN = ascii("\"leaseToken\":\"");
    private static final int UNKNOWN = -1;
    private static final int UNAVAILABLE = 503;

    private ByteBuffer buffer = ByteBuffer.allocate(16 * 1024);
    private int lineFrom;
    private int scanned;
    private int length = UNKNOWN;
    private int bodyFrom = UNKNOWN;

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /// For the next answer.
    void clear() {
        buffer.clear();
        lineFrom = 0;
        scanned = 0;
        length = UNKNOWN;
        bodyFrom = UNKNOWN;
    }

    /// Reads once.
    ///
    /// @return whether the answer is whole now
    boolean readFrom(ReadableByteChannel channel) throws IOException {
        if (!buffer.hasRemaining()) {
            byte[] larger = Arrays.copyOf(buffer.array(), 2 * buffer.capacity());
            buffer = ByteBuffer.wrap(larger).position(buffer.position());
        }
        if (channel.read(buffer) < 0) {
            throw new EOFException("the server closed the connection");
        }
        if (bodyFrom == UNKNOWN) {
            scanHead();
        }
        return bodyFrom != UNKNOWN && buffer.position() >= bodyFrom + length;
    }

    /// Goes on where it stopped when the last piece came to its end.
    private void scanHead() throws IOException {
        byte[] bytes = buffer.array();
        for (; scanned < buffer.position() && bodyFrom == UNKNOWN; scanned++) {
            if (bytes[scanned] == '\n') {
                if (scanned - lineFrom <= 1) {
                    bodyFrom = scanned + 1;
                } else if (isLength(bytes)) {
                    length = number(bytes, lineFrom + LENGTH.length, scanned);
                }
                lineFrom = scanned + 1;
            }
        }
        if (bodyFrom != UNKNOWN && length == UNKNOWN) {
            throw new IOException("an answer without Content-Length");
        }
    }

    private boolean isLength(byte[] bytes) {
        if (scanned - lineFrom < LENGTH.length) {
            return false;
        }
        for (int i = 0; i < LENGTH.length; i++) {
            int letter = bytes[lineFrom + i];
            if ((letter >= 'A' && letter <= 'Z' ? letter + 'a' - 'A' : letter) != LENGTH[i]) {
                return false;
            }
        }
        return true;
    }

    /// Of the digits in a range that may hold blanks as well.
    private static int number(byte[] bytes, int from, int to) {
        int number = 0;
        for (int i = from; i < to; i++) {
            if (bytes[i] >= '0' && bytes[i] <= '9') {
                number = number * 10 + bytes[i] - '0';
            }
        }
        return number;
    }

    /// Whether the server has too much to do, and did nothing.
    public boolean isRefusal() {
        return status() == UNAVAILABLE;
    }

    int status() {
        int digits = "HTTP/1.1 ".length();
        return number(buffer.array(), digits, digits + 3);
    }

    String body() {
        return new String(buffer.array(), bodyFrom, length, StandardCharsets.UTF_8);
    }

    boolean contains(byte[] text) {
        return text.length == 0 || find(text, bodyFrom) != UNKNOWN;
    }

    /// The task that a claim has got; null when there was none.
    public @Nullable Held held() {
        return startsAt(NO_TASK, bodyFrom) ? null : heldAfter(bodyFrom);
    }

    /// The id of the run that was made, without the word before it.
    public byte[] run() {
        return uuidAfter(RUN, bodyFrom);
    }

    /// The tasks that a claim of many has got.
    public List<Held> allHeld() {
        var all = new ArrayList<Held>();
        for (int place = find(TASK, bodyFrom);
                place != UNKNOWN;
                place = find(TASK, place + TASK.length)) {
            all.add(heldAfter(place));
        }
        return all;
    }

    private Held heldAfter(int place) {
        return new Held(uuidAfter(ID, place), uuidAfter(LEASE_TOKEN, place));
    }

    private byte[] uuidAfter(byte[] mark, int from) {
        int place = find(mark, from);
        if (place == UNKNOWN) {
            throw new IllegalStateException(
                    new String(mark, StandardCharsets.US_ASCII) + " is not in: " + body());
        }
        int begin = place + mark.length;
        return Arrays.copyOfRange(buffer.array(), begin, begin + Held.UUID_LENGTH);
    }

    /// The first place in the body, from the given one on.
    private int find(byte[] text, int from) {
        byte[] bytes = buffer.array();
        byte first = text[0];
        int last = bodyFrom + length - text.length;
        for (int i = from; i <= last; i++) {
            if (bytes[i] == first && startsAt(text, i)) {
                return i;
            }
        }
        return UNKNOWN;
    }

    private boolean startsAt(byte[] text, int place) {
        return place + text.length <= bodyFrom + length
                && Arrays.equals(buffer.array(), place, place + text.length, text, 0, text.length);
    }
}
