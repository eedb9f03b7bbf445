package io.orchestrion.server.http;

import io.helidon.common.buffers.DataReader;
import io.helidon.http.HeaderNames;
import io.helidon.http.RequestException;
import io.helidon.http.Status;
import io.helidon.webserver.CloseConnectionException;
import io.helidon.webserver.http.ServerRequest;

import org.jspecify.annotations.Nullable;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.OptionalLong;

/// The body of a request as Helidon hands it over. Two things it must get right for the
/// connection's sake: a body is never read past its bound, and one that was not read to its end is
/// never left for the next request to be parsed from.
final class HelidonBody implements RequestBody {
    /// An unread rest up to this is read away so that the connection lives on, and not more.
    private static final int DISCARD_MAX = 64 * 1024;

    /// How much, and for how long, is still read from a connection that is about to close. Closing
    /// it at once would reset it, and the answer could be lost. It is twice the largest body, for
    /// clients that send somewhat too much.
    private static final int LINGER_BYTES_MAX = 16 * 1024 * 1024;

    /// For each part, and for all of them together: long enough for sixty clients with bodies of 8
    /// MB at the pace of [Lingering].
    private static final Duration LINGER_TIME = Duration.ofSeconds(2);
    private static final Duration LINGER_TIME_ALL = Duration.ofSeconds(10);

    /// The first buffer for a body whose length was not sent.
    private static final int FIRST_BYTES = 8192;

    private final ServerRequest request;
    private final Watchdog watchdog;
    private final Duration timeLimit;
    private final BytesInFlight.Hold hold;
    private final Lingering lingering;
    private final boolean present;
    private final OptionalLong length;
    private @Nullable InputStream stream;
    private byte @Nullable [] bytes;
    private boolean ended;

    HelidonBody(
            ServerRequest request,
            Watchdog watchdog,
            Duration timeLimit,
            BytesInFlight.Hold hold,
            Lingering lingering) {
        this.hold = hold;
        this.lingering = lingering;
        this.request = request;
        this.watchdog = watchdog;
        this.timeLimit = timeLimit;
        this.length = request.headers().contentLength();
        this.present =
                request.headers().contains(HeaderNames.TRANSFER_ENCODING) || length.orElse(0) > 0;
        this.ended = !present;
    }

    @Override
    public byte[] read(int maxBytes) {
        if (bytes == null) {
            bytes = present ? readAll(maxBytes) : new byte[0];
        }
        return bytes;
    }

    @Override
    public Lines lines(int maxLineBytes, int heldBytes) {
        if (!present) {
            return Lines.NONE;
        }
        // All at once: a stream that was begun cannot be refused any more.
        hold.takeBody(Math.min(length.orElse(Long.MAX_VALUE), (long) maxLineBytes + heldBytes));
        return new LineReader(maxLineBytes);
    }

    @Override
    public @Nullable Long length() {
        if (!present) {
            return 0L;
        }
        return length.isPresent() ? Long.valueOf(length.getAsLong()) : null;
    }

    @Override
    public InputStream stream(int heldBytes) {
        if (!present) {
            return InputStream.nullInputStream();
        }
        hold.take((long) Lingering.PART_BYTES + heldBytes);
        return new PartReader();
    }

    /// The body's bytes are no longer needed.
    void forget() {
        if (bytes != null) {
            bytes = new byte[0];
        }
    }

    private byte[] readAll(int maxBytes) {
        if (length.orElse(0) > maxBytes) {
            throw tooLarge(maxBytes);
        }
        return watched(() -> readUpTo(maxBytes), (door, call) -> door.bodyTooLarge(call, maxBytes));
    }

    private interface Reading<T extends @Nullable Object> {
        T read() throws IOException;
    }

    /// Reads within the time limit. Helidon has its own view of a chunk that is too large.
    private <T extends @Nullable Object> T watched(Reading<T> reading, Refusal.Wording tooLarge) {
        Watchdog.Watch watch = watchdog.arm(timeLimit);
        try {
            return reading.read();
        } catch (RequestException e) {
            if (e.status().code() == Status.REQUEST_ENTITY_TOO_LARGE_413.code()) {
                throw new Refusal(tooLarge);
            }
            throw malformed();
        } catch (DataReader.IncorrectNewLineException | NumberFormatException e) {
            throw malformed();
        } catch (DataReader.InsufficientDataAvailableException
                | IOException
                | UncheckedIOException e) {
            // The client went away, or was too slow and the watchdog cut it off: there is no one to
            // answer.
            throw new CloseConnectionException("The body did not arrive", e);
        } finally {
            watchdog.disarm(watch);
        }
    }

    private static Refusal malformed() {
        return new Refusal((door, call) -> door.badRequest(call, "The chunked body is malformed."));
    }

    private byte[] readUpTo(int maxBytes) throws IOException {
        return length.isPresent()
                ? readDeclared((int) length.getAsLong())
                : readUndeclared(maxBytes);
    }

    private byte[] readDeclared(int declared) throws IOException {
        hold.takeBody(declared);
        byte[] buffer = new byte[declared];
        InputStream in = stream();
        int filled = 0;
        while (filled < declared) {
            int part = Math.min(Lingering.PART_BYTES, declared - filled);
            // A client that sends less has gone away in the middle.
            if (in.readNBytes(buffer, filled, part) < part) {
                throw new EOFException();
            }
            filled += part;
            if (filled < declared) {
                // A virtual thread whose bytes are there already gives up its processor only here.
                // A body of a single part does not yield: that would cost all small calls.
                Thread.yield();
            }
        }
        ended = in.read() < 0;
        return buffer;
    }

    private byte[] readUndeclared(int maxBytes) throws IOException {
        // One byte more than allowed shows that a body is too long.
        byte[] buffer = new byte[(int) Math.min(FIRST_BYTES, maxBytes + 1L)];
        hold.takeBody(buffer.length);
        int filled = 0;
        InputStream in = stream();
        while (true) {
            int n = in.read(buffer, filled, buffer.length - filled);
            if (n < 0) {
                ended = true;
                return filled == buffer.length ? buffer : Arrays.copyOf(buffer, filled);
            }
            filled += n;
            if (filled > maxBytes) {
                throw tooLarge(maxBytes);
            }
            if (filled == buffer.length) {
                int larger = (int) Math.min(buffer.length * 2L, maxBytes + 1L);
                hold.takeBody(larger - buffer.length);
                buffer = Arrays.copyOf(buffer, larger);
            }
        }
    }

    /// Cuts the body into lines out of a buffer that grows to the longest of them.
    private final class LineReader implements Lines {
        private final int maxLineBytes;
        private byte[] buffer = new byte[8192];
        private int from;
        private int to;

        LineReader(int maxLineBytes) {
            this.maxLineBytes = maxLineBytes;
        }

        @Override
        public byte @Nullable [] next() {
            return watched(
                    this::line,
                    (door, call) ->
                            door.refused(
                                    call, 413, "A chunk of the body is too large to be read."));
        }

        private byte @Nullable [] line() throws IOException {
            int looked = from;
            while (true) {
                while (looked < to && buffer[looked] != '\n') {
                    looked++;
                }
                int length = looked - from;
                boolean whole = looked < to;
                // One byte more than allowed may still be the first half of a line end.
                if (length > maxLineBytes + 1) {
                    throw tooLong();
                }
                if (whole || (ended && length > 0)) {
                    return taken(length, whole);
                }
                if (ended) {
                    return null;
                }
                int scanned = looked - from;
                fill();
                looked = from + scanned;
            }
        }

        private byte[] taken(int length, boolean whole) {
            boolean cut = length > 0 && buffer[from + length - 1] == '\r';
            int kept = cut ? length - 1 : length;
            if (kept > maxLineBytes) {
                throw tooLong();
            }
            byte[] line = Arrays.copyOfRange(buffer, from, from + kept);
            from += whole ? length + 1 : length;
            return line;
        }

        private void fill() throws IOException {
            if (from > 0) {
                System.arraycopy(buffer, from, buffer, 0, to - from);
                to -= from;
                from = 0;
            }
            if (to == buffer.length) {
                buffer = Arrays.copyOf(buffer, buffer.length * 2);
            }
            int n = stream().read(buffer, to, buffer.length - to);
            if (n < 0) {
                ended = true;
            } else {
                to += n;
            }
        }

        private Refusal tooLong() {
            return new Refusal(
                    (door, call) ->
                            door.refused(
                                    call,
                                    413,
                                    "A line of the body must be at most "
                                            + maxLineBytes
                                            + " bytes."));
        }
    }

    /// Reads the body in parts, each within the time limit. What the reader does between two parts
    /// is not counted, so a slow store is not held against a client.
    private final class PartReader extends InputStream {
        private final byte[] part = new byte[Lingering.PART_BYTES];
        private long left = length.orElse(Long.MAX_VALUE);
        private int at;
        private int filled;

        @Override
        public int read() {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }

        @Override
        public int read(byte[] into, int offset, int most) {
            if (most == 0) {
                return 0;
            }
            if (at == filled && !fill()) {
                return -1;
            }
            int n = Math.min(most, filled - at);
            System.arraycopy(part, at, into, offset, n);
            at += n;
            return n;
        }

        /// False at the end.
        private boolean fill() {
            if (ended) {
                return false;
            }
            filled =
                    watched(
                            this::next,
                            (door, call) ->
                                    door.refused(
                                            call,
                                            413,
                                            "A chunk of the body is too large to be read."));
            at = 0;
            // A virtual thread whose bytes are there already gives up its processor only here.
            Thread.yield();
            return filled > 0;
        }

        private int next() throws IOException {
            int wanted = (int) Math.min(part.length, left);
            int n = stream().readNBytes(part, 0, wanted);
            left -= n;
            if (n < wanted && length.isPresent()) {
                // A client that sends less has gone away in the middle.
                throw new EOFException();
            }
            ended = n < wanted || (left == 0 && stream().read() < 0);
            return n;
        }
    }

    private static Refusal tooLarge(long maxBytes) {
        return new Refusal((door, call) -> door.bodyTooLarge(call, maxBytes));
    }

    private InputStream stream() {
        if (stream == null) {
            stream = request.content().inputStream();
        }
        return stream;
    }

    /// Whether the connection can serve another request after this one is answered.
    boolean leavesConnectionUsable() {
        return ended
                || (awaited()
                        && bytes == null
                        && stream == null
                        && length.orElse(Long.MAX_VALUE) <= DISCARD_MAX);
    }

    /// False while the client waits for `100 Continue` and sends nothing.
    private boolean awaited() {
        return request.continueSent();
    }

    /// Reads away what no one asked for.
    void discard() {
        if (!ended) {
            skip(DISCARD_MAX, timeLimit);
        }
        if (!ended) {
            throw new CloseConnectionException("An unread body is left");
        }
    }

    /// Reads on for a moment on a connection that is about to close.
    void linger() {
        if (ended || !awaited()) {
            return;
        }
        long began = System.nanoTime();
        try (Lingering.Turn turn = lingering.begin()) {
            int skipped = 0;
            boolean more = true;
            while (more
                    && skipped < LINGER_BYTES_MAX
                    && System.nanoTime() - began < LINGER_TIME_ALL.toNanos()) {
                more = skip(Lingering.PART_BYTES, LINGER_TIME);
                skipped += Lingering.PART_BYTES;
                turn.pause();
            }
        }
    }

    /// @return whether as much was there and more may follow
    private boolean skip(int maxBytes, Duration limit) {
        Watchdog.Watch watch = watchdog.arm(limit);
        try {
            byte[] scrap = new byte[8192];
            InputStream in = stream();
            int skipped = 0;
            while (skipped < maxBytes) {
                int n = in.read(scrap);
                if (n < 0) {
                    ended = true;
                    return false;
                }
                skipped += n;
            }
            return true;
        } catch (RuntimeException | IOException e) {
            // Whatever the failure was, the connection closes now.
            return false;
        } finally {
            watchdog.disarm(watch);
        }
    }
}
