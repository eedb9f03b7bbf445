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
import java.util.function.Function;

/// Follows events over one open request (server-sent events). The server sends its
/// position at least every 15 seconds. A stream that is silent for three times as long is taken for
/// lost.
final class EventStream {
    private static final Duration SILENCE_MAX = Duration.ofSeconds(45);
    private static final Duration EMPTY_PAUSE = Duration.ofSeconds(1);
    private static final int LINES_AHEAD = 1000;

    private final Transport transport;
    private final Function<@Nullable String, String> address;
    private final Consumer<JsonNode> each;
    private @Nullable String place;
    private volatile boolean broken;

    /// @param address what to ask for to go on after a place
    /// @param place null for the first event
    EventStream(
            Transport transport,
            Function<@Nullable String, String> address,
            @Nullable String place,
            Consumer<JsonNode> each) {
        this.transport = transport;
        this.address = address;
        this.each = each;
        this.place = place;
    }

    void follow() {
        while (true) {
            once();
        }
    }

    /// One request, up to the end of its answer.
    ///
    /// @return whether the server ended it, and no lost connection
    boolean once() {
        boolean heard = false;
        broken = false;
        try (InputStream body = transport.open(Call.get(address.apply(place)))) {
            heard = read(body);
        } catch (IOException e) {
            // The stream was closed while it was read. The next request continues from the same
            // place.
            broken = true;
        }
        if (!heard) {
            pause();
        }
        return heard && !broken;
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
    private Optional<String> next(BlockingQueue<Optional<String>> lines)
            throws InterruptedException {
        Optional<String> line = lines.poll(SILENCE_MAX.toSeconds(), TimeUnit.SECONDS);
        broken |= line == null;
        return line == null ? Optional.empty() : line;
    }

    private void pump(InputStream body, BlockingQueue<Optional<String>> lines) {
        try (var text = new BufferedReader(new InputStreamReader(body, StandardCharsets.UTF_8))) {
            for (String line = text.readLine(); line != null; line = text.readLine()) {
                lines.put(Optional.of(line));
            }
            lines.put(Optional.empty());
        } catch (IOException e) {
            // A lost connection ends the stream like any other end, after the lines that were read
            // before.
            broken = true;
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
