package io.orchestrion.bench.load;

/// A task that a worker holds. Id and token stay the bytes that they are on the wire: they are cut
/// out of one message only to be put into the next.
public final class Held {
    static final int UUID_LENGTH = 36;

    private final byte[] id;
    private final byte[] leaseToken;

    Held(byte[] id, byte[] leaseToken) {
        this.id = id;
        this.leaseToken = leaseToken;
    }

    byte[] id() {
        return id;
    }

    byte[] leaseToken() {
        return leaseToken;
    }
}
