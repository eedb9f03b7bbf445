package io.orchestrion.kernel.json;

import java.util.List;
import java.util.Map;

/// One value as it was sent.
///
/// @param text the characters of a string, and the compact JSON of anything else with its numbers
///     written as received; empty for an array or object whose parts are read by themselves
/// @param depth levels of nesting: 0 for a scalar, 1 for `{}` and `[]`
/// @param elements of an array that is declared as a list
/// @param members of an object that is declared field by field
record Captured(
        Kind kind, String text, int depth, List<Captured> elements, Map<String, Captured> members) {
    enum Kind {
        STRING,
        NUMBER,
        BOOLEAN,
        NULL,
        OBJECT,
        ARRAY
    }

    static final Captured NULL = whole(Kind.NULL, "null", 0);

    static Captured string(String text) {
        return whole(Kind.STRING, text, 0);
    }

    static Captured whole(Kind kind, String text, int depth) {
        return new Captured(kind, text, depth, List.of(), Map.of());
    }

    static Captured list(List<Captured> elements) {
        return new Captured(Kind.ARRAY, "", deeperThan(elements), elements, Map.of());
    }

    static Captured object(Map<String, Captured> members) {
        return new Captured(Kind.OBJECT, "", deeperThan(members.values()), List.of(), members);
    }

    private static int deeperThan(Iterable<Captured> parts) {
        int deepest = 0;
        for (Captured part : parts) {
            deepest = Math.max(deepest, part.depth);
        }
        return deepest + 1;
    }

    boolean is(Kind wanted) {
        return kind == wanted;
    }

    String compact() {
        return kind == Kind.STRING ? Texts.quoted(text) : text;
    }
}
