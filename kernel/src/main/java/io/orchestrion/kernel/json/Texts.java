package io.orchestrion.kernel.json;

import tools.jackson.core.io.JsonStringEncoder;

/// Small rules about characters that reading and writing share.
final class Texts {
    static final int SHOWN_NAME_MAX = 60;

    private Texts() {}

    /// True when the text can be stored and sent as it is: PostgreSQL's jsonb and text hold no
    /// U+0000, and UTF-8 has no form for half a surrogate pair.
    static boolean storable(String text) {
        return text.indexOf('\0') < 0 && wellFormed(text);
    }

    static boolean wellFormed(String text) {
        return loneSurrogate(text, 0) < 0;
    }

    /// The text with each lone surrogate replaced by U+FFFD, so that writing an answer cannot fail
    /// on it.
    static String mended(String text) {
        int at = loneSurrogate(text, 0);
        if (at < 0) {
            return text;
        }
        var mended = new StringBuilder(text);
        for (; at >= 0; at = loneSurrogate(text, at + 1)) {
            mended.setCharAt(at, '\uFFFD');
        }
        return mended.toString();
    }

    private static int loneSurrogate(String text, int from) {
        int at = surrogate(text, from);
        while (at >= 0
                && at + 1 < text.length()
                && Character.isSurrogatePair(text.charAt(at), text.charAt(at + 1))) {
            at = surrogate(text, at + 2);
        }
        return at;
    }

    /// The next half of any pair. Every text of every body and answer comes through here, and
    /// nearly none has one: a loop as plain as this is compiled to next to nothing.
    private static int surrogate(String text, int from) {
        for (int i = from; i < text.length(); i++) {
            if (Character.isSurrogate(text.charAt(i))) {
                return i;
            }
        }
        return -1;
    }

    /// A name that came from outside, quoted for a message: cut short, and with nothing in it that
    /// could break a log line or a terminal.
    static String shown(String name) {
        var shown = new StringBuilder("\"");
        int taken = 0;
        for (int i = 0; i < name.length() && taken < SHOWN_NAME_MAX; taken++) {
            int c = name.codePointAt(i);
            i += Character.charCount(c);
            if (c == '"' || c == '\\') {
                shown.append('\\').append((char) c);
            } else if ((c >= 0x20 && c < 0x7f) || Character.isLetterOrDigit(c)) {
                shown.appendCodePoint(c);
            } else {
                shown.append(String.format("\\u%04x", c));
            }
        }
        if (name.codePointCount(0, name.length()) > SHOWN_NAME_MAX) {
            shown.append('…');
        }
        return shown.append('"').toString();
    }

    /// Appends the text as a JSON string, escaping only what JSON requires.
    static void appendQuoted(StringBuilder out, String text) {
        out.append('"');
        // Most strings hold nothing to escape, and appending one whole is far cheaper than by
        // character.
        if (plain(text)) {
            out.append(text);
        } else {
            JsonStringEncoder.getInstance().quoteAsString(text, out);
        }
        out.append('"');
    }

    private static boolean plain(String text) {
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c < 0x20 || c == '"' || c == '\\') {
                return false;
            }
        }
        return true;
    }

    static String quoted(String text) {
        var out = new StringBuilder(text.length() + 2);
        appendQuoted(out, text);
        return out.toString();
    }

    /// Length in UTF-8 bytes of well-formed text.
    static long utf8Length(String text) {
        long bytes = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            // A pair is four bytes: two for each half.
            bytes += c < 0x80 ? 1 : c < 0x800 || Character.isSurrogate(c) ? 2 : 3;
        }
        return bytes;
    }
}
