package io.orchestrion.kernel.schema;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// A pattern of JSON Schema, which is ECMA-262 in its Unicode mode, translated into the syntax of
/// RE2. The two share most of their signs, but some signs have different meanings. So every sign is
/// read here and written out by its meaning. A pattern that RE2 cannot express is refused.
///
/// Like most engines, it also reads what ECMA-262 allows without its Unicode mode and what is
/// common in schemas: escaped signs that need no escape, `-` beside `\w`, and braces that stand for
/// themselves.
final class EcmaPattern {
    private static final int REPEAT_MAX = SchemaLimit.PATTERN_REPEAT.max();

    /// No person writes a pattern deeper than this, and patterns are read by recursion.
    private static final int DEPTH_MAX = 100;

    private static final int ENDLESS = -1;
    private static final int NONE = -1;

    private final String pattern;
    private final StringBuilder out = new StringBuilder();
    private int at;
    private int depth;

    private EcmaPattern(String pattern) {
        this.pattern = pattern;
    }

    /// @param parts how large it is, by [SchemaLimit#PATTERN_PARTS]
    record Translated(String re2, int parts) {}

    /// @throws PatternRefused if it is no pattern, or none that RE2 can match
    static Translated translate(String pattern) {
        var reader = new EcmaPattern(pattern);
        long parts = reader.alternatives();
        if (reader.at < pattern.length()) {
            throw PatternRefused.malformed("a ) closes no group");
        }
        return new Translated(reader.out.toString(), Math.toIntExact(parts));
    }

    private long alternatives() {
        long parts = sequence();
        while (next('|')) {
            out.append('|');
            parts = bounded(parts + 1 + sequence());
        }
        return parts;
    }

    private long sequence() {
        long parts = 0;
        while (at < pattern.length() && peek() != '|' && peek() != ')') {
            parts = bounded(parts + term());
        }
        return parts;
    }

    private long term() {
        if (next('^')) {
            return assertion("\\A");
        }
        if (next('$')) {
            // The very end: in some engines it is also before a line break at the end.
            return assertion("\\z");
        }
        if (next("\\b")) {
            return assertion("\\b");
        }
        if (next("\\B")) {
            return assertion("\\B");
        }
        return repeated(atom());
    }

    private long assertion(String re2) {
        out.append(re2);
        if (repeat() != null) {
            throw PatternRefused.malformed("an assertion is repeated");
        }
        return 1;
    }

    private long atom() {
        if (next('(')) {
            return group();
        }
        if (next('[')) {
            return new EcmaClass(pattern, at).read(this);
        }
        if (next('.')) {
            out.append("[^\\n\\r\\x{2028}\\x{2029}]");
            return 1;
        }
        if (next('\\')) {
            return escape();
        }
        if (at < pattern.length() && "*+?".indexOf(peek()) >= 0 || repeat() != null) {
            throw PatternRefused.malformed("nothing is there to repeat");
        }
        int literal = pattern.codePointAt(at);
        at += Character.charCount(literal);
        out.append(quoted(literal));
        return 1;
    }

    private long group() {
        if (next("?=") || next("?!")) {
            throw PatternRefused.unsupported(
                    "it looks ahead with (?= or (?!, which cannot be matched in linear time");
        }
        if (next("?<=") || next("?<!")) {
            throw PatternRefused.unsupported(
                    "it looks behind with (?<= or (?<!, which cannot be matched in linear time");
        }
        if (next("?<")) {
            int end = pattern.indexOf('>', at);
            if (end <= at) {
                throw PatternRefused.malformed("the name of a group does not end");
            }
            at = end + 1;
        } else if (!next("?:") && at < pattern.length() && peek() == '?') {
            throw PatternRefused.unsupported(
                    "(? begins flags or a group that JSON Schema's patterns do not have");
        }
        if (++depth > DEPTH_MAX) {
            throw PatternRefused.unsupported("its groups are nested more than " + DEPTH_MAX);
        }
        // What a group has matched is never asked for, so it need not be kept.
        out.append("(?:");
        long parts = alternatives();
        if (!next(')')) {
            throw PatternRefused.malformed("a group does not end");
        }
        out.append(')');
        depth--;
        return Math.max(1, parts);
    }

    private long escape() {
        if (at == pattern.length()) {
            throw PatternRefused.malformed("it ends with a \\");
        }
        char c = peek();
        if (c >= '1' && c <= '9' || c == 'k') {
            throw PatternRefused.unsupported(
                    "it refers back to a group with \\"
                            + c
                            + ", which cannot be matched in linear time");
        }
        var set = new EcmaClass(pattern, at);
        String named = set.namedSet();
        if (named != null) {
            at = set.at();
            out.append('[').append(named).append(']');
            return set.parts();
        }
        int literal = set.character();
        at = set.at();
        out.append(quoted(literal));
        return 1;
    }

    /// Takes over what a set has read.
    long take(String re2, int end, long parts) {
        out.append(re2);
        at = end;
        return bounded(parts);
    }

    private record Repeat(int min, int max, int end) {}

    private long repeated(long parts) {
        Repeat repeat = repeat();
        if (repeat == null) {
            return parts;
        }
        at = repeat.end();
        if (repeat.max() != ENDLESS && repeat.min() > repeat.max()) {
            throw PatternRefused.malformed("a repeat runs backwards");
        }
        if (Math.max(repeat.min(), repeat.max()) > REPEAT_MAX) {
            throw PatternRefused.unsupported(
                    "it repeats a part more than "
                            + SchemaLimit.PATTERN_REPEAT.said()
                            + " times; minLength and maxLength bound a text");
        }
        out.append('{').append(repeat.min());
        if (repeat.max() == ENDLESS) {
            out.append(',');
        } else if (repeat.max() != repeat.min()) {
            out.append(',').append(repeat.max());
        }
        out.append('}');
        if (next('?')) {
            out.append('?');
        }
        if (repeat() != null) {
            throw PatternRefused.malformed("a repeat is repeated");
        }
        long times = repeat.max() == ENDLESS ? Math.max(1, repeat.min()) : repeat.max();
        return bounded(Math.max(1, times * (parts + 1)));
    }

    /// The repeat that is next, not yet taken; null when there is none.
    private @Nullable Repeat repeat() {
        if (at == pattern.length()) {
            return null;
        }
        return switch (peek()) {
            case '*' -> new Repeat(0, ENDLESS, at + 1);
            case '+' -> new Repeat(1, ENDLESS, at + 1);
            case '?' -> new Repeat(0, 1, at + 1);
            case '{' -> braces();
            default -> null;
        };
    }

    private @Nullable Repeat braces() {
        int end = pattern.indexOf('}', at);
        if (end < 0) {
            return null;
        }
        String inside = pattern.substring(at + 1, end);
        int comma = inside.indexOf(',');
        int min = number(comma < 0 ? inside : inside.substring(0, comma));
        if (min == NONE) {
            return null;
        }
        if (comma < 0) {
            return new Repeat(min, min, end + 1);
        }
        if (comma == inside.length() - 1) {
            return new Repeat(min, ENDLESS, end + 1);
        }
        int max = number(inside.substring(comma + 1));
        return max == NONE ? null : new Repeat(min, max, end + 1);
    }

    /// A number that is too large for any repeat becomes one that is just too large.
    private static int number(String digits) {
        if (digits.isEmpty() || !digits.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return NONE;
        }
        String plain = digits.replaceFirst("^0+(?=.)", "");
        return plain.length() > 6 ? REPEAT_MAX + 1 : Integer.parseInt(plain);
    }

    private static long bounded(long parts) {
        if (parts > SchemaLimit.PATTERN_PARTS.max()) {
            throw PatternRefused.unsupported(
                    "with its repeats written out it has more than "
                            + SchemaLimit.PATTERN_PARTS.said()
                            + " parts; minLength and maxLength bound a text");
        }
        return parts;
    }

    private char peek() {
        return pattern.charAt(at);
    }

    private boolean next(char c) {
        return next(String.valueOf(c));
    }

    private boolean next(String text) {
        if (!pattern.startsWith(text, at)) {
            return false;
        }
        at += text.length();
        return true;
    }

    private static final Set<Integer> PLAIN = Set.of((int) '_', (int) ' ');

    /// A character that stands for itself.
    static String quoted(int character) {
        boolean plain =
                character < 128 && Character.isLetterOrDigit(character)
                        || PLAIN.contains(character);
        return plain
                ? Character.toString(character)
                : "\\x{" + Integer.toHexString(character) + "}";
    }
}
