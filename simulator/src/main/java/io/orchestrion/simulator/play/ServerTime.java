package io.orchestrion.simulator.play;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/// The server's clock as far as a client can tell: a time that it told, and what has passed since.
public final class ServerTime implements InstantSource {
    private final Instant told;
    private final long since = System.nanoTime();

    public ServerTime(Instant told) {
        this.told = told;
    }

    @Override
    public Instant instant() {
        return told.plus(Duration.ofNanos(System.nanoTime() - since));
    }
}
