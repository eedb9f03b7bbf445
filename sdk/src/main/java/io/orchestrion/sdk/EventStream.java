package io.orchestrion.sdk;

import io.orchestrion.sdk.Transport.Call;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// Follows the log of events over one open request (server-sent events). The server sends its
/// position at least every 15 seconds. A stream that is silent for three times as long is taken for
/// lost.
final class EventStream {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(45);
    private static final Duration EMPTY_PAUSE = Duration.ofSeconds(1);
    private static final int LINES_AHEAD = 1000;

    private final Transport transport;
    private final String path;
    private final EventQuery query;
    private final Consumer<JsonNode> each;
    private @Nullable String place;

    EventStream(Transport transport, String path, EventQuery query, Consumer<JsonNode> each) {
        this.transport = transport;
        this.path = path;
        this.query = query;
        this.each = each;
        place = query.after();
    }

    void follow() {
        while (true) {
            Call call = Call.get(path + query.filters().with("after", place));
            boolean heard = false;
            try (InputStream body = transport.open(call)) {
                heard = read(body);
            } catch (IOException e) {
                // The stream was closed while it was read. The next request continues from the same
                // place.
            }
            if (!heard) {
                pause();
            }
        }
    }

    /// Pauses before the next request, so that something which ends every stream at once is not
    /// asked in a tight loop.
    private void pause() {
        try {
            transport.clock().sleep(EMPTY_PAUSE);
        } catch (InterruptedException e) {
            throw Transport.interrupted(e);
        }
    }

    /// @return whether the server sent anything before the end
    private boolean read(InputStream body) throws IOException {
        BlockingQueue<Optional<String>> lines = new ArrayBlockingQueue<>(LINES_AHEAD);
        Thread reader = Thread.ofVirtual().start(() -> pump(body, lines));
        try {
            var block = new Block();
            Optional<String> line = next(lines);
            boolean heard = line.isPresent();
            while (line.isPresent()) {
                block.add(line.get());
                line = next(lines);
            }
            return heard;
        } catch (InterruptedException e) {
            throw Transport.interrupted(e);
        } finally {
            body.close();
            reader.interrupt();
        }
    }

    /// The next line; empty at the end of the stream, and after too long a silence.
    private static Optional<String> next(BlockingQueue<Optional<String>> lines)
            throws InterruptedException {
        Optional<String> line = lines.poll(SILENCE_MAX.toSeconds(), TimeUnit.SECONDS);
        return line == null ? Optional.empty() : line;
    }

    private static void pump(InputStream body, BlockingQueue<Optional<String>> lines) {
        try (var text = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                lines.put(Optional.of(line));
            }
            lines.put(Optional.empty());
        } catch (IOException e) {
            // A lost connection ends the stream like any other end, after the lines that were read
            // before.
            try {
                lines.put(Optional.empty());
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /// The lines of one event, up to the empty line that ends it.
    private final class Block {
        private @Nullable String id;
        private @Nullable String data;

        void add(String line) {
            if (line.startsWith("id:")) {
                id = line.substring(3).strip();
            } else if (line.startsWith("data:")) {
                data = line.substring(5).strip();
            } else if (line.isEmpty()) {
                end();
            }
        }

        private void end() {
            String text = data;
            data = null;
            if (text != null) {
                each.accept(Json.tree(text));
            }
            // Only after the consumer has returned: an event on which it threw is delivered again.
            if (id != null) {
                place = id;
            }
        }
    }
}
