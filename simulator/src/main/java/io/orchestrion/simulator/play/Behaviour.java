package io.orchestrion.simulator.play;

/// How a receiver treats what is sent to it.
public enum Behaviour {
    ACCEPTS(true),
    /// Answers the first try of some events with 500.
    FLAKY(true),
    /// Lets the first try of some events wait for an answer that never comes.
    HANGS(true),
    /// Answers, after a while.
    SLOW(true),
    /// Sends the answer to the first try of some events a byte at a time.
    DRIPS(true),
    /// Answers everything with 500.
    FAILS(false);

    private final boolean accepts;

    Behaviour(boolean accepts) {
        this.accepts = accepts;
    }

    /// Whether it takes in the end what is sent to it.
    public boolean accepts() {
        return accepts;
    }

    /// Of the receiver that a kind of the catalogue is about.
    static Behaviour of(String kind) {
        return switch (kind) {
            case "WEBHOOK_TIMEOUT" -> HANGS;
            case "WEBHOOK_5XX" -> FLAKY;
            case "WEBHOOK_RETRIES_EXHAUSTED" -> FAILS;
            case "WEBHOOK_SLOW_RECEIVER" -> SLOW;
            default -> ACCEPTS;
        };
    }
}
