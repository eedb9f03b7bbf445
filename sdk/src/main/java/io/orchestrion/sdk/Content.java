package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/// Bytes to send, read while they are sent.
///
/// @param type its media type
/// @param length -1 if it is not known
/// @param file null for a stream, which can be read once
record Content(String type, long length, @Nullable Path file, Supplier<InputStream> open) {
    static Content of(String type, Path file) {
        try {
            long length = Files.size(file);
            return new Content(type, length, file, () -> opened(file));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    static Content of(String type, InputStream stream) {
        return new Content(type, -1, null, () -> stream);
    }

    private static InputStream opened(Path file) {
        try {
            return Files.newInputStream(file);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read " + file, e);
        }
    }

    /// Whether it can be sent again.
    boolean repeatable() {
        return file != null;
    }

    /// @param progress counts what was read
    BodyPublisher publisher(AtomicLong progress) {
        BodyPublisher stream =
                BodyPublishers.ofInputStream(() -> new Counted(open.get(), progress));
        return length < 0
                ? stream
                : length == 0
                        ? BodyPublishers.noBody()
                        : BodyPublishers.fromPublisher(stream, length);
    }

    private static final class Counted extends FilterInputStream {
        private final AtomicLong progress;

        Counted(InputStream stream, AtomicLong progress) {
            super(stream);
            this.progress = progress;
        }

        @Override
        public int read() throws IOException {
            int read = super.read();
            progress.incrementAndGet();
            return read;
        }

        @Override
        public int read(byte[] into, int from, int length) throws IOException {
            int read = super.read(into, from, length);
            progress.incrementAndGet();
            return read;
        }
    }
}
