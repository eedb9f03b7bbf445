package io.orchestrion.kernel.db;

import org.jspecify.annotations.Nullable;

/// Puts texts into the little JSON that the kernel writes itself.
public final class JsonText {
    private JsonText() {}

    /// Characters that no text may hold are passed on, and the database refuses them.
    public static void append(StringBuilder out, @Nullable String text) {
        if (text == null) {
            out.append("null");
            return;
        }
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char letter = text.charAt(i);
            if (letter == '"' || letter == '\\') {
                out.append('\\').append(letter);
            } else if (letter < ' ' && letter != 0) {
                out.append(String.format("\\u%04x", (int) letter));
            } else {
                out.append(letter);
            }
        }
        out.append('"');
    }
}
