package io.orchestrion.kernel.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;

/// A pattern of a schema. RE2 keeps all the ways in which a text can match at once, so each
/// character costs no more than the pattern is large, and that is what is counted.
final class LinearRegex implements RegularExpression {
    /// The cost of a search, beside its looks at the text.
    private static final int SEARCH_STEPS = 2;

    private final Pattern pattern;
    private final int sharesForLook;
    private final int parts;

    /// @throws PatternRefused if it is none that can be used
    LinearRegex(String ecma) {
        EcmaPattern.Translated translated = EcmaPattern.translate(ecma);
        try {
            pattern = Pattern.compile(translated.re2());
        } catch (PatternSyntaxException e) {
            throw PatternRefused.unsupported(String.valueOf(e.getDescription()));
        }
        parts = translated.parts();
        sharesForLook = 2 + pattern.programSize();
    }

    int parts() {
        return parts;
    }

    /// Found anywhere in the text, as JSON Schema has it.
    @Override
    public boolean matches(String text) {
        CheckBudget budget = CheckBudget.CURRENT.get();
        budget.charge(SEARCH_STEPS);
        return pattern.matcher(new Counted(text, budget, sharesForLook)).find();
    }

    /// Text whose characters cost steps when they are looked at.
    private record Counted(String text, CheckBudget budget, int shares) implements CharSequence {
        @Override
        public char charAt(int index) {
            budget.chargeShares(shares);
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Counted(text.substring(start, end), budget, shares);
        }

        @Override
        public String toString() {
            return text;
        }
    }
}
