package io.orchestrion.kernel.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;
import java.util.regex.Pattern;

/// The secret text of a key. Shown once, stored as its SHA-256 only. It is long and random, so one
/// round of a fast hash is enough: there is nothing to guess.
public final class ApiKey {
    public static final String PREFIX = "orch_live_";
    public static final int SECRET_HEX_DIGITS = 64;
    private static final Pattern FORM =
            Pattern.compile(PREFIX + "[0-9a-f]{" + SECRET_HEX_DIGITS + "}");
    private static final SecureRandom RANDOM = new SecureRandom();

    private final String secret;

    private ApiKey(String secret) {
        this.secret = secret;
    }

    public static ApiKey generate() {
        byte[] bytes = new byte[SECRET_HEX_DIGITS / 2];
        RANDOM.nextBytes(bytes);
        return new ApiKey(PREFIX + HexFormat.of().formatHex(bytes));
    }

    public static boolean wellFormed(String text) {
        return FORM.matcher(text).matches();
    }

    public static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    byte[] hash() {
        return hash(secret);
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
