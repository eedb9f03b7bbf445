package io.orchestrion.sdk;

/// Text as the contracts accept it.
final class Texts {
    private Texts() {}

    /// At most so many characters, with no half surrogate pair and no character that a database
    /// refuses.
    static String clean(String text, int most) {
        var clean = new StringBuilder();
        text.codePoints()
                .limit(most)
                .map(c -> c == 0 || (c >= 0xD800 && c <= 0xDFFF) ? 0xFFFD : c)
                .forEach(clean::appendCodePoint);
        return clean.toString();
    }
}
