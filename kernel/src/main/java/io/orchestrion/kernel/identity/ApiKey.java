package io.orchestrion.kernel.identity;

/// The secret text of a key. Shown once, stored as its SHA-256 only.
public final class ApiKey {
    public static final String PREFIX = "orch_live_";
    public static final int SECRET_HEX_DIGITS = 64;

    private final String secret;

    private ApiKey(String secret) {
        this.secret = secret;
    }

    public static ApiKey generate() {
        return new ApiKey(PREFIX + Secrets.randomHex(SECRET_HEX_DIGITS));
    }

    public static boolean wellFormed(String text) {
        return Secrets.wellFormed(text, PREFIX, SECRET_HEX_DIGITS);
    }

    public static byte[] hash(String secret) {
        return Secrets.hash(secret);
    }

    byte[] hash() {
        return hash(secret);
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
