package io.orchestrion.kernel.schema;

/// Why a pattern is not taken, for the person who wrote it.
final class PatternRefused extends RuntimeException {
    private static final long serialVersionUID = 1;

    private PatternRefused(String why) {
        super(why, null, false, false);
    }

    static PatternRefused malformed(String why) {
        return new PatternRefused("is not a regular expression of ECMA-262: " + why);
    }

    /// Well-formed, but beyond what is matched in a time in proportion to the text.
    static PatternRefused unsupported(String why) {
        return new PatternRefused("cannot be used: " + why);
    }

    String reason() {
        return String.valueOf(getMessage());
    }
}
