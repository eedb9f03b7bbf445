package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/// Reads the output of one run from a place on.
final class OutputReader {
    /// So long a stream is open before the reader looks whether the run has ended.
    private static final long ROUND_SECONDS = 2;

    private static final int TRIES = 5;

    private final Transport transport;
    private final String path;
    private final OutputQuery query;
    private final Consumer<OutputPiece> each;
    private long place;

    OutputReader(Transport transport, String path, OutputQuery query, Consumer<OutputPiece> each) {
        this.transport = transport;
        this.path = path;
        this.query = query;
        this.each = each;
        place = query.after();
    }

    /// What is there now.
    ///
    /// @return the place of the last piece
    long there() {
        read(0);
        return place;
    }

    /// @return whether the run has ended and everything was read
    boolean follow(Duration within, BooleanSupplier ended) {
        MonotonicClock clock = transport.clock();
        long end = clock.nanos() + within.toNanos();
        while (true) {
            // Whatever was written before the run ended is read after that was seen.
            boolean over = ended.getAsBoolean();
            long left = Duration.ofNanos(end - clock.nanos()).toSeconds();
            read(over ? 0 : Math.clamp(left, 0, ROUND_SECONDS));
            if (over) {
                return true;
            }
            if (end - clock.nanos() <= 0) {
                return false;
            }
        }
    }

    private void read(long seconds) {
        var stream =
                new EventStream(transport, after -> address(after, seconds), first(), this::take);
        for (int tried = 1; !stream.once(); tried++) {
            if (tried == TRIES) {
                throw OrchestrionException.ofClient(
                        OrchestrionException.NO_ANSWER,
                        0,
                        "the connection broke " + tried + " times while the output was read",
                        null);
            }
        }
    }

    private @Nullable String first() {
        return place == 0 ? null : Long.toString(place);
    }

    private String address(@Nullable String after, long seconds) {
        return path
                + new Parameters()
                        .with("after", after)
                        .with("step_id", query.stepId())
                        .with("seconds", seconds);
    }

    private void take(JsonNode json) {
        // The server's place, which it sends now and then, has no text.
        if (json.path("text").isString()) {
            OutputPiece piece = RunWire.piece(json);
            each.accept(piece);
            place = piece.sequence();
        }
    }
}
