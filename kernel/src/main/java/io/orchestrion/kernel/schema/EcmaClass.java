package io.orchestrion.kernel.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.Set;

/// Sets of characters in a pattern, and the escapes that stand for one character.
final class EcmaClass {
    /// White space and line ends by ECMA-262; in RE2 it is only five characters.
    private static final String SPACE =
            "\\x09-\\x0d\\x20\\x{a0}\\x{1680}\\x{2000}-\\x{200a}\\x{2028}\\x{2029}\\x{202f}\\x{205f}"
                + "\\x{3000}\\x{feff}";

    /// Every other character.
    private static final String NO_SPACE =
            "\\x00-\\x08\\x0e-\\x1f\\x21-\\x{9f}\\x{a1}-\\x{167f}\\x{1681}-\\x{1fff}\\x{200b}-\\x{2027}"
                + "\\x{202a}-\\x{202e}\\x{2030}-\\x{205e}\\x{2060}-\\x{2fff}\\x{3001}-\\x{fefe}"
                + "\\x{ff00}-\\x{10ffff}";

    private static final Set<String> CATEGORIES =
            Set.of(
                    "L", "Lu", "Ll", "Lt", "Lm", "Lo", "M", "Mn", "Mc", "Me", "N", "Nd", "Nl", "No",
                    "P", "Pc", "Pd", "Ps", "Pe", "Pi", "Pf", "Po", "S", "Sm", "Sc", "Sk", "So", "Z",
                    "Zs", "Zl", "Zp", "Cc", "Cf");

    private static final Map<String, String> LONG_NAMES =
            Map.ofEntries(
                    Map.entry("Letter", "L"),
                    Map.entry("Uppercase_Letter", "Lu"),
                    Map.entry("Lowercase_Letter", "Ll"),
                    Map.entry("Titlecase_Letter", "Lt"),
                    Map.entry("Modifier_Letter", "Lm"),
                    Map.entry("Other_Letter", "Lo"),
                    Map.entry("Mark", "M"),
                    Map.entry("Number", "N"),
                    Map.entry("Decimal_Number", "Nd"),
                    Map.entry("Punctuation", "P"),
                    Map.entry("Symbol", "S"),
                    Map.entry("Separator", "Z"),
                    Map.entry("Space_Separator", "Zs"),
                    Map.entry("Control", "Cc"));

    /// A table of hundreds of ranges is held for each.
    private static final int PROPERTY_PARTS = 50;

    private final String pattern;
    private int at;
    private long parts;

    /// @param at after the backslash or the bracket
    EcmaClass(String pattern, int at) {
        this.pattern = pattern;
        this.at = at;
    }

    int at() {
        return at;
    }

    long parts() {
        return Math.max(1, parts);
    }

    /// A whole set, up to its closing bracket.
    long read(EcmaPattern into) {
        boolean negated = at < pattern.length() && pattern.charAt(at) == '^';
        at += negated ? 1 : 0;
        var items = new StringBuilder();
        while (true) {
            if (at >= pattern.length()) {
                throw PatternRefused.malformed("a [ is not closed");
            }
            if (pattern.charAt(at) == ']') {
                at++;
                break;
            }
            item(items);
        }
        if (items.isEmpty()) {
            // [] is no character and [^] is any.
            return into.take(negated ? "[\\x00-\\x{10ffff}]" : "[^\\x00-\\x{10ffff}]", at, 1);
        }
        return into.take((negated ? "[^" : "[") + items + "]", at, parts());
    }

    private void item(StringBuilder items) {
        String named = escaped() ? namedSetAhead() : null;
        if (named != null) {
            items.append(named);
            return;
        }
        int from = oneCharacter();
        parts++;
        boolean range = pattern.startsWith("-", at) && !pattern.startsWith("-]", at);
        if (!range) {
            items.append(EcmaPattern.quoted(from));
            return;
        }
        at++;
        named = escaped() ? namedSetAhead() : null;
        if (named != null) {
            // As in [a-\d]: no range, so the dash stands for itself.
            items.append(EcmaPattern.quoted(from)).append(EcmaPattern.quoted('-')).append(named);
            return;
        }
        int to = oneCharacter();
        if (to < from) {
            throw PatternRefused.malformed("a range in [] runs backwards");
        }
        items.append(EcmaPattern.quoted(from)).append('-').append(EcmaPattern.quoted(to));
    }

    private boolean escaped() {
        return pattern.startsWith("\\", at);
    }

    private @Nullable String namedSetAhead() {
        at++;
        String named = namedSet();
        if (named == null) {
            at--;
        } else if (pattern.startsWith("-", at) && !pattern.startsWith("-]", at)) {
            // As in [\w-.]: the dash stands for itself.
            at++;
            return named + EcmaPattern.quoted('-');
        }
        return named;
    }

    private int oneCharacter() {
        if (escaped()) {
            at++;
            if (pattern.startsWith("b", at)) {
                at++;
                return '\b';
            }
            return character();
        }
        if (at >= pattern.length()) {
            throw PatternRefused.malformed("a [ is not closed");
        }
        int character = pattern.codePointAt(at);
        at += Character.charCount(character);
        return character;
    }

    /// The characters that an escape names, as the inside of a set of RE2; null for an escape that
    /// names a single one.
    @Nullable String namedSet() {
        char c = at < pattern.length() ? pattern.charAt(at) : 0;
        String set =
                switch (c) {
                    case 'd', 'D', 'w', 'W' -> "\\" + c;
                    case 's' -> SPACE;
                    case 'S' -> NO_SPACE;
                    case 'p', 'P' -> property(c);
                    default -> null;
                };
        if (set != null && c != 'p' && c != 'P') {
            at++;
            parts++;
        }
        return set;
    }

    private String property(char sign) {
        int end = pattern.startsWith("{", at + 1) ? pattern.indexOf('}', at) : -1;
        if (end < 0) {
            throw PatternRefused.malformed("\\" + sign + " needs a property, such as {Lu}");
        }
        String said = pattern.substring(at + 2, end);
        String name = said.substring(said.indexOf('=') + 1);
        String kind = said.substring(0, said.length() - name.length());
        String re2 =
                switch (kind) {
                    case "", "gc=", "General_Category=" ->
                            CATEGORIES.contains(name) ? name : LONG_NAMES.get(name);
                    case "sc=", "Script=" -> script(name) ? name : null;
                    default -> null;
                };
        if (re2 == null) {
            throw PatternRefused.unsupported(
                    "the property "
                            + SchemaFault.quote(said)
                            + " is not one of the general categories or scripts that are known"
                            + " here");
        }
        at = end + 1;
        parts += PROPERTY_PARTS;
        return "\\" + sign + "{" + re2 + "}";
    }

    /// Whether RE2 has a table of this name that is none of its categories.
    private static boolean script(String name) {
        if (!name.matches("[A-Z][A-Za-z_]{2,40}")) {
            return false;
        }
        try {
            Pattern.compile("\\p{" + name + "}");
            return true;
        } catch (PatternSyntaxException e) {
            return false;
        }
    }

    /// The one character that stands after a backslash.
    int character() {
        if (at >= pattern.length()) {
            throw PatternRefused.malformed("it ends with a \\");
        }
        int c = pattern.codePointAt(at);
        at += Character.charCount(c);
        return switch (c) {
            case 't' -> '\t';
            case 'n' -> '\n';
            case 'v' -> 0x0b;
            case 'f' -> '\f';
            case 'r' -> '\r';
            case 'c' -> control();
            case 'x' -> hex(2, "\\x");
            case 'u' -> unicode();
            case '0' -> {
                if (at < pattern.length() && Character.isDigit(pattern.charAt(at))) {
                    throw PatternRefused.malformed("\\0 is followed by a digit");
                }
                yield 0;
            }
            default -> {
                if (c < 128 && Character.isLetterOrDigit(c)) {
                    throw PatternRefused.malformed(
                            "\\" + Character.toString(c) + " means nothing there");
                }
                yield c;
            }
        };
    }

    private int control() {
        char c = at < pattern.length() ? pattern.charAt(at) : 0;
        if (!(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z')) {
            throw PatternRefused.malformed("\\c needs a letter");
        }
        at++;
        return c % 32;
    }

    private int unicode() {
        if (pattern.startsWith("{", at)) {
            int end = pattern.indexOf('}', at);
            int length = end - at - 1;
            at++;
            int value = length < 1 || length > 6 ? -1 : hex(length, "\\u{");
            at++;
            if (value < 0 || value > Character.MAX_CODE_POINT) {
                throw PatternRefused.malformed("\\u{} needs the number of a character");
            }
            return whole(value);
        }
        int first = hex(4, "\\u");
        if (Character.isHighSurrogate((char) first) && pattern.startsWith("\\u", at)) {
            int before = at;
            at += 2;
            int second = pattern.startsWith("{", at) ? 0 : hex(4, "\\u");
            if (Character.isLowSurrogate((char) second)) {
                return Character.toCodePoint((char) first, (char) second);
            }
            at = before;
        }
        return whole(first);
    }

    private static int whole(int character) {
        if (character >= Character.MIN_SURROGATE && character <= Character.MAX_SURROGATE) {
            throw PatternRefused.unsupported("half of a surrogate pair is in no text");
        }
        return character;
    }

    private int hex(int digits, String what) {
        int value = 0;
        for (int i = 0; i < digits; i++) {
            int digit = at < pattern.length() ? Character.digit(pattern.charAt(at), 16) : -1;
            if (digit < 0 || pattern.charAt(at) > 127) {
                throw PatternRefused.malformed(what + " needs " + digits + " hexadecimal digits");
            }
            value = value * 16 + digit;
            at++;
        }
        return value;
    }
}
