package io.orchestrion.kernel.identity;

/// The secret text of a worker token. Shown once, stored as its SHA-256 only.
public final class WorkerSecret {
    public static final String PREFIX = "mmwt_";
    public static final int SECRET_HEX_DIGITS = 64;

    private final String secret;

    private WorkerSecret(String secret) {
        this.secret = secret;
    }

    static WorkerSecret generate() {
        return new WorkerSecret(PREFIX + Secrets.randomHex(SECRET_HEX_DIGITS));
    }

    public static boolean wellFormed(String text) {
        return Secrets.wellFormed(text, PREFIX, SECRET_HEX_DIGITS);
    }

    byte[] hash() {
        return Secrets.hash(secret);
    }

    /// The secret, for the one answer that shows it.
    public String reveal() {
        return secret;
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
