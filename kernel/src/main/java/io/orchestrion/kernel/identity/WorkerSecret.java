package io.orchestrion.kernel.identity;

import java.util.regex.Pattern;

/// The secret text of a worker token. Shown once, stored as its SHA-256 only.
public final class WorkerSecret {
    public static final String PREFIX = "mmwt_";
    public static final int SECRET_HEX_DIGITS = 64;
    private static final Pattern FORM =
            Pattern.compile(PREFIX + "[0-9a-f]{" + SECRET_HEX_DIGITS + "}");

    private final String secret;

    private WorkerSecret(String secret) {
        this.secret = secret;
    }

    static WorkerSecret generate() {
        return new WorkerSecret(PREFIX + Secrets.randomHex(SECRET_HEX_DIGITS));
    }

    public static boolean wellFormed(String text) {
        return FORM.matcher(text).matches();
    }

    byte[] hash() {
        return Secrets.hash(secret);
    }

    /// For the one answer that shows it.
    public String reveal() {
        return secret;
    }

    @Override
    public String toString() {
        return PREFIX + "…";
    }
}
