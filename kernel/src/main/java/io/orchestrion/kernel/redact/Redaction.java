package io.orchestrion.kernel.redact;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.regex.Pattern;

/// Takes secrets out of what workers and called services say of an error, before it is stored,
/// logged or shown.
public final class Redaction {
    public static final int SUMMARY_MAX = 500;

    /// Longer texts are cut before they are searched.
    private static final int SEARCHED_MAX = 4_000;

    private static final String HIDDEN = "[redacted]";

    private record Rule(Pattern pattern, String replacement) {}

    /// Every repetition is possessive or bounded, so that no text makes a search slow.
    private static final List<Rule> RULES =
            List.of(
                    rule(
                            "(?i)(authorization\\s{0,5}[:=]\\s{0,5})(?:(?:bearer|basic|digest)\\s{1,5})?[^\\s,;\"']++",
                            "$1" + HIDDEN),
                    rule("(?i)\\b(bearer|basic)\\s{1,5}[A-Za-z0-9._~+/=-]{8,}+", "$1 " + HIDDEN),
                    rule(
                            "(?i)\\b((?:api[_-]?key|apikey|access[_-]?key|secret|client[_-]?secret|password|passwd|pwd|token|access[_-]?token|refresh[_-]?token)[\"']?\\s{0,5}[:=]\\s{0,5})(?:\"[^\"]{0,400}+\"|'[^']{0,400}+'|[^\\s,;&\"'}]++)",
                            "$1" + HIDDEN),
                    rule(
                            "\\b(?:orch_live_|mmwt_|sk-|sk_live_|sk_test_|ghp_|gho_|xox[abp]-|AKIA|whsec_)[A-Za-z0-9_-]{8,}+",
                            HIDDEN),
                    rule(
                            "\\beyJ[A-Za-z0-9_-]{5,}+\\.[A-Za-z0-9_-]{5,}+(?:\\.[A-Za-z0-9_-]*+)?",
                            HIDDEN),
                    rule(
                            "(?i)([a-z][a-z0-9+.-]{1,20}://)[^/\\s:@]{1,200}+:[^/\\s@]{1,200}+@",
                            "$1" + HIDDEN + "@"));

    private Redaction() {}

    private static Rule rule(String pattern, String replacement) {
        return new Rule(Pattern.compile(pattern), replacement);
    }

    /// At most [#SUMMARY_MAX] characters, without secrets.
    public static @Nullable String summary(@Nullable String text) {
        if (text == null) {
            return null;
        }
        // No text of the database holds U+0000.
        String searched = cut(text, SEARCHED_MAX).replace("\0", "");
        for (Rule rule : RULES) {
            searched = rule.pattern().matcher(searched).replaceAll(rule.replacement());
        }
        return cut(searched, SUMMARY_MAX);
    }

    private static String cut(String text, int most) {
        return text.codePointCount(0, text.length()) <= most
                ? text
                : text.substring(0, text.offsetByCodePoints(0, most));
    }
}
