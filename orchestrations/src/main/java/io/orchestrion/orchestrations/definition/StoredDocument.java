package io.orchestrion.orchestrations.definition;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.TreeMap;

/// The document of a definition, for storing and comparing.
final class StoredDocument {
    private final String text;
    private final String checksum;

    StoredDocument(JsonNode document) {
        text = document.toString();
        checksum = sha256(canonical(document));
    }

    String text() {
        return text;
    }

    String checksum() {
        return checksum;
    }

    /// One text for one meaning: names sorted, numbers by what they are worth.
    private static String canonical(JsonNode document) {
        var out = new StringBuilder();
        append(out, document);
        return out.toString();
    }

    private static void append(StringBuilder out, JsonNode node) {
        if (node.isObject()) {
            var members = new TreeMap<String, JsonNode>();
            node.properties().forEach(member -> members.put(member.getKey(), member.getValue()));
            out.append('{');
            members.forEach(
                    (name, value) -> {
                        append(out, name);
                        append(out, value);
                    });
            out.append('}');
        } else if (node.isArray()) {
            out.append('[');
            node.forEach(each -> append(out, each));
            out.append(']');
        } else if (node.isNumber()) {
            BigDecimal number = node.decimalValue();
            out.append(number.signum() == 0 ? "0" : number.stripTrailingZeros()).append(';');
        } else if (node.isString()) {
            append(out, node.stringValue());
        } else {
            out.append(node.isNull() ? "n" : node.booleanValue() ? "t" : "f");
        }
    }

    /// With its length first, so that no two texts together can be read as others.
    private static void append(StringBuilder out, String text) {
        out.append('s').append(text.length()).append(':').append(text);
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(
                            MessageDigest.getInstance("SHA-256")
                                    .digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Every Java has SHA-256", e);
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof StoredDocument document && checksum.equals(document.checksum);
    }

    @Override
    public int hashCode() {
        return checksum.hashCode();
    }
}
