package io.orchestrion.server.json;

/// One value as it came in: text holds the characters of a string, and the compact JSON of anything
/// else with its numbers written as received.
///
/// @param depth levels of nesting: 0 for a scalar, 1 for `{}` and `[]`
record Captured(Kind kind, String text, int depth) {
    enum Kind {
        STRING,
        NUMBER,
        BOOLEAN,
        NULL,
        OBJECT,
        ARRAY
    }

    static final Captured NULL = new Captured(Kind.NULL, "null", 0);

    static Captured string(String text) {
        return new Captured(Kind.STRING, text, 0);
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    String compact() {
        return kind == Kind.STRING ? Texts.quoted(text) : text;
    }
}
