package io.orchestrion.server.http;

import org.jspecify.annotations.Nullable;

import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Strict percent decoding: what does not decode to clean UTF-8 is nothing.
final class Percent {
    private Percent() {}

    /// The decoded text, or null for a malformed escape, bytes that are not UTF-8, a control
    /// character or raw non-ASCII.
    static @Nullable String decode(String raw, boolean plusIsSpace) {
        if (isPlain(raw)) {
            return raw;
        }
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            int value = c;
            if (c == '%') {
                int high = hex(raw, i + 1);
                int low = hex(raw, i + 2);
                if (high < 0 || low < 0) {
                    return null;
                }
                value = high << 4 | low;
                i += 2;
            } else if (c == '+' && plusIsSpace) {
                value = ' ';
            } else if (c > 0x7e) {
                return null;
            }
            if (value < 0x20 || value == 0x7f) {
                return null;
            }
            bytes[length++] = (byte) value;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes, 0, length))
                    .toString();
        } catch (CharacterCodingException e) {
            return null;
        }
    }

    /// Whether it stands for itself, as nearly every segment of a path does.
    private static boolean isPlain(String raw) {
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c < 0x20 || c > 0x7e || c == '%' || c == '+') {
                return false;
            }
        }
        return true;
    }

    private static int hex(String raw, int at) {
        // Character.digit alone would take digits of other scripts.
        return at < raw.length() && raw.charAt(at) < 0x80
                ? Character.digit(raw.charAt(at), 16)
                : -1;
    }

    /// The parameters of a query string in order of appearance, or null when any of it is
    /// malformed.
    static @Nullable Map<String, List<String>> query(String rawQuery) {
        if (rawQuery.isEmpty()) {
            return Map.of();
        }
        var parameters = new LinkedHashMap<String, List<String>>();
        for (String pair : rawQuery.split("&", -1)) {
            if (pair.isEmpty()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals), true);
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1), true);
            if (name == null || value == null) {
                return null;
            }
            parameters.computeIfAbsent(name, first -> new ArrayList<>(1)).add(value);
        }
        return parameters;
    }
}
