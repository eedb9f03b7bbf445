package io.orchestrion.jobs.handler;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/// What an attempt produced: its size and SHA-256 are kept in the job's report, and JSON also as
/// the job's result.
///
/// @param sha256 64 hexadecimal digits
/// @param json the result as JSON text, where there is one
public record Produced(long sizeBytes, String sha256, @Nullable String json) {

    public static Produced json(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        return new Produced(bytes.length, hex(digest(bytes)), text);
    }

    /// Bytes that are kept elsewhere, or nowhere.
    public static Produced bytes(byte[] bytes) {
        return new Produced(bytes.length, hex(digest(bytes)), null);
    }

    public static Produced nothing() {
        return bytes(new byte[0]);
    }

    private static byte[] digest(byte[] bytes) {
        return newDigest().digest(bytes);
    }

    public static MessageDigest newDigest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    public static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
