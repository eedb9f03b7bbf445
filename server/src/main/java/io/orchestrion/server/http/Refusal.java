package io.orchestrion.server.http;

/// Carries a refusal out of the reading of a request to the door, which words it.
final class Refusal extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @FunctionalInterface
    interface Wording {
        Answer by(Door door, Call call);
    }

    @SuppressWarnings("serial") // never serialized: thrown and caught inside one request
    private final Wording wording;

    Refusal(Wording wording) {
        // Refusals are everyday answers, so no stack trace is collected.
        super(null, null, false, false);
        this.wording = wording;
    }

    Answer by(Door door, Call call) {
        return wording.by(door, call);
    }
}
