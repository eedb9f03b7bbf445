package io.orchestrion.server.schema;

import com.networknt.schema.regex.RegularExpression;

import java.util.regex.Pattern;

/// A regular expression whose search is given up after so many looks at the text: the time that one
/// takes can double with each character, and a schema can have thousands.
final class BoundedRegex implements RegularExpression {
    private static final int LOOKS_MAX = 5_000_000;

    /// What a search costs beside its looks.
    private static final int SEARCH = 20;

    /// The looks of one run of a schema, over all its patterns.
    static final ScopedValue<int[]> LOOKS = ScopedValue.newInstance();

    private final Pattern pattern;

    /// @throws java.util.regex.PatternSyntaxException if it is none
    BoundedRegex(String regex) {
        // In Java a dollar also matches before a line break at the end, in JSON Schema it does not.
        pattern = Pattern.compile(dollarsAtTheVeryEnd(regex));
    }

    /// Found anywhere in the text, as JSON Schema has it.
    @Override
    public boolean matches(String text) {
        int[] looks = LOOKS.isBound() ? LOOKS.get() : new int[1];
        looks[0] += SEARCH;
        return pattern.matcher(new Counted(text, 0, text.length(), looks)).find();
    }

    private static String dollarsAtTheVeryEnd(String regex) {
        var out = new StringBuilder();
        boolean inClass = false;
        for (int i = 0; i < regex.length(); i++) {
            char c = regex.charAt(i);
            if (c == '\\' && i + 1 < regex.length()) {
                out.append(c).append(regex.charAt(++i));
                continue;
            }
            inClass = c == '[' || (inClass && c != ']');
            out.append(c == '$' && !inClass ? "\\z" : String.valueOf(c));
        }
        return out.toString();
    }

    private record Counted(String text, int from, int to, int[] looks) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (++looks[0] > LOOKS_MAX) {
                throw new TooCostly("has patterns that take more than " + LOOKS_MAX + " steps");
            }
            return text.charAt(from + index);
        }

        @Override
        public int length() {
            return to - from;
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text, from + start, from + end, looks);
        }

        @Override
        public String toString() {
            return text.substring(from, to);
        }
    }
}
