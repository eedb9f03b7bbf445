package io.orchestrion.kernel.identity;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.HexFormat;

/// How secret texts are made and kept. They are long and random, so one round of a fast hash is
/// enough: there is nothing to guess.
final class Secrets {
    private static final SecureRandom RANDOM = new SecureRandom();

    private Secrets() {}

    static String randomHex(int digits) {
        byte[] bytes = new byte[digits / 2];
        RANDOM.nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }

    /// Checked without a regular expression: every request has a key, and the expression took a
    /// hundredth of the server's time.
    static boolean wellFormed(String text, String prefix, int digits) {
        if (text.length() != prefix.length() + digits || !text.startsWith(prefix)) {
            return false;
        }
        for (int i = prefix.length(); i < text.length(); i++) {
            char c = text.charAt(i);
            if (!(c >= '0' && c <= '9' || c >= 'a' && c <= 'f')) {
                return false;
            }
        }
        return true;
    }

    static byte[] hash(String secret) {
        try {
            return MessageDigest.getInstance("SHA-256")
                    .digest(secret.getBytes(StandardCharsets.UTF_8));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
