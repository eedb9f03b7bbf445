package io.orchestrion.bench.load;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/// A request as it goes over the wire. It is made once and sent many times; only the tasks that it
/// names are written into it anew. It belongs to one connection.
public final class Request implements Next {
    /// Stands where the id or the lease token of a task is to be written.
    static final String BLANK = "0".repeat(Held.UUID_LENGTH);

    private final String verb;
    private final int expectedStatus;
    private final byte[] expectedText;
    private final ByteBuffer bytes;
    private final int[] blanks;
    private boolean bearsRefusal;

    /// @param verb under which its answers are timed
    /// @param expectedText part of every good answer's body
    /// @param text all of it, in ASCII, with a blank for each id and, after it, one for the token
    Request(String verb, int expectedStatus, String expectedText, String text) {
        this.verb = verb;
        this.expectedStatus = expectedStatus;
        this.expectedText = expectedText.getBytes(StandardCharsets.US_ASCII);
        byte[] all = text.getBytes(StandardCharsets.US_ASCII);
        bytes = ByteBuffer.allocateDirect(all.length).put(all).rewind();
        blanks = places(text);
    }

    private static int[] places(String text) {
        var places = IntStream.builder();
        int place = text.indexOf(BLANK);
        while (place >= 0) {
            places.add(place);
            place = text.indexOf(BLANK, place + BLANK.length());
        }
        return places.build().toArray();
    }

    String verb() {
        return verb;
    }

    /// How many tasks it names.
    public int names() {
        return blanks.length / 2;
    }

    /// Writes an id into the only place that there is.
    public Request id(byte[] id) {
        bytes.put(blanks[0], id);
        return this;
    }

    /// Writes the task into the place with the given number.
    public Request name(int number, Held held) {
        bytes.put(blanks[2 * number], held.id());
        bytes.put(blanks[2 * number + 1], held.leaseToken());
        return this;
    }

    public Request name(List<Held> held) {
        for (int i = 0; i < held.size(); i++) {
            name(i, held.get(i));
        }
        return this;
    }

    void rewind() {
        bytes.rewind();
    }

    /// Writes as much as the channel takes.
    ///
    /// @return whether that was all of it
    boolean writeTo(WritableByteChannel channel) throws IOException {
        channel.write(bytes);
        return !bytes.hasRemaining();
    }

    /// A server that has too much to do may refuse it: whoever sends it sends it again.
    public Request bearingRefusal() {
        bearsRefusal = true;
        return this;
    }

    /// Throws {@link Refused} unless the answer is the one that the load can go on with.
    void check(Answer answer) {
        if (bearsRefusal && answer.isRefusal()) {
            return;
        }
        if (answer.status() != expectedStatus || !answer.contains(expectedText)) {
            throw new Refused(verb, answer.status(), answer.body());
        }
    }
}
