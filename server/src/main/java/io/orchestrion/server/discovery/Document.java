package io.orchestrion.server.discovery;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/// A document as it is served.
///
/// @param etag by its content, so that all nodes of one release give the same
record Document(String contentType, byte[] bytes, String etag) {
    private static final int ETAG_BYTES = 12;

    static Document of(String contentType, byte[] bytes) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return new Document(
                    contentType,
                    bytes,
                    "\"" + HexFormat.of().formatHex(digest, 0, ETAG_BYTES) + "\"");
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /// By a value of If-None-Match: a list of tags, weak or not, or an asterisk for any.
    boolean isNamedBy(String header) {
        return Arrays.stream(header.split(","))
                .map(String::strip)
                .map(tag -> tag.startsWith("W/") ? tag.substring(2) : tag)
                .anyMatch(tag -> tag.equals(etag) || tag.equals("*"));
    }
}
