package io.orchestrion.server.runs.artifacts;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/// The headers under which content of unknown origin is handed out. No browser shows or runs it, or
/// takes it for something else than it is called.
final class Attachment {
    private static final String UNRESERVED =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";

    private Attachment() {}

    static final Map<String, String> SAFE =
            Map.of(
                    "X-Content-Type-Options", "nosniff",
                    "Content-Security-Policy", "default-src 'none'; sandbox",
                    "Cross-Origin-Resource-Policy", "same-origin",
                    "Referrer-Policy", "no-referrer",
                    "Cache-Control", "private, no-store");

    /// By RFC 6266: in ASCII for old clients, and whole.
    static String disposition(String name) {
        var plain = new StringBuilder();
        name.codePoints()
                .forEach(
                        each ->
                                plain.append(
                                        each < 0x20 || each > 0x7e || "\"\\%".indexOf(each) >= 0
                                                ? '_'
                                                : (char) each));
        var whole = new StringBuilder();
        for (byte each : name.getBytes(StandardCharsets.UTF_8)) {
            if (UNRESERVED.indexOf(each) >= 0) {
                whole.append((char) each);
            } else {
                whole.append("%%%02X".formatted(each & 0xff));
            }
        }
        return "attachment; filename=\"" + plain + "\"; filename*=UTF-8''" + whole;
    }
}
