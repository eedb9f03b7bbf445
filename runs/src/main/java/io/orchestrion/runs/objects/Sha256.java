package io.orchestrion.runs.objects;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// Adds content up to its SHA-256.
final class Sha256 {
    private final MessageDigest digest;

    Sha256() {
        try {
            digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    void add(byte[] bytes, int offset, int length) {
        digest.update(bytes, offset, length);
    }

    /// To be called once.
    String hex() {
        return HexFormat.of().formatHex(digest.digest());
    }
}
