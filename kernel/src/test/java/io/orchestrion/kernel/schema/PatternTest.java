package io.orchestrion.kernel.schema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import tools.jackson.databind.json.JsonMapper;

class PatternTest {
    private static final JsonMapper JSON = new JsonMapper();

    private static boolean found(String pattern, String text) {
        var budget = new CheckBudget();
        budget.moveAway();
        return ScopedValue.where(CheckBudget.CURRENT, budget)
                .call(() -> new LinearRegex(pattern).matches(text));
    }

    /// What ECMA-262 says, where engines differ. Texts have the escapes of JSON.
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
                    b                      ~ abc          ~ true
                    ^b                     ~ abc          ~ false
                    ^a$                    ~ `a\\n`       ~ false
                    ^a$                    ~ a            ~ true
                    a$                     ~ `a\\nb`      ~ false
                    ^b                     ~ `a\\nb`      ~ false
                    ^.$                    ~ `\\r`        ~ false
                    ^.$                    ~ `\\u2028`    ~ false
                    ^.$                    ~ 😀           ~ true
                    ^\\s$                  ~ `\\u00a0`    ~ true
                    ^\\S$                  ~ `\\u00a0`    ~ false
                    ^[^\\s]$               ~ `\\u3000`    ~ false
                    ^\\s$                  ~ `\\u000b`    ~ true
                    ^\\d$                  ~ ٣            ~ false
                    ^\\w$                  ~ é            ~ false
                    ^\\p{L}$               ~ é            ~ true
                    ^\\p{Lu}$              ~ é            ~ false
                    ^\\P{Lu}$              ~ é            ~ true
                    ^\\p{Script=Greek}+$   ~ αβγ          ~ true
                    ^[\\p{Ll}0-9]+$        ~ é7           ~ true
                    ^\\p{Uppercase_Letter} ~ A            ~ true
                    ^\\u{1F600}$           ~ 😀           ~ true
                    ^\\uD83D\\uDE00$       ~ 😀           ~ true
                    ^\\x41\\u0042$         ~ AB           ~ true
                    ^\\cJ$                 ~ `\\n`        ~ true
                    ^https:\\/\\/          ~ https://a    ~ true
                    ^[\\w-.]+$             ~ a-b.c        ~ true
                    ^[a\\-z]+$             ~ a-z          ~ true
                    ^[a\\-z]+$             ~ m            ~ false
                    ^[[]$                  ~ [            ~ true
                    ^[a&&b]+$              ~ a&           ~ true
                    ^[\\b]$                ~ `\\u0008`    ~ true
                    ^[\\]]$                ~ ]            ~ true
                    ^[^]$                  ~ x            ~ true
                    []                     ~ x            ~ false
                    ^{a}$                  ~ {a}          ~ true
                    ^a{,2}$                ~ a{,2}        ~ true
                    ^a{2,3}$               ~ aaaa         ~ false
                    ^a{2,3}$               ~ aaa          ~ true
                    ^a{2,}$                ~ aaaa         ~ true
                    ^(?<year>[0-9]{4})-\\d ~ 2026-1       ~ true
                    ^(?:ab|cd)+?$          ~ abcd         ~ true
                    ^(|a)*$                ~ aa           ~ true
                    ^()*$                  ~ a            ~ false
                    ^(){3}$                ~ ``           ~ true
                    \\bfoo\\b              ~ a foo b      ~ true
                    \\Bfoo                 ~ a foo b      ~ false
                    ^\\$\\^\\.\\*$         ~ $^.*         ~ true
                    ^a\\0b$                ~ `a\\u0000b`  ~ true
                    ^(([a-z])+.)+[A-Z]([a-z])+$ ~ aaBcd   ~ true
                    """)
    void a_pattern_means_what_json_schema_says(String pattern, String text, boolean found) {
        assertThat(found(pattern, JSON.readValue("\"" + text + "\"", String.class)))
                .isEqualTo(found);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '`',
            textBlock =
                    """
                    ^(?=.*[A-Z]).+$          ~ cannot be used: it looks ahead
                    ^(?!admin)               ~ cannot be used: it looks ahead
                    (?<=a)b                  ~ cannot be used: it looks behind
                    (?<!a)b                  ~ cannot be used: it looks behind
                    ^(a+)\\1$                ~ cannot be used: it refers back to a group with \\1
                    (?<n>a)\\k<n>            ~ cannot be used: it refers back
                    (?i)abc                  ~ cannot be used: (? begins flags
                    (?>a)                    ~ cannot be used: (? begins flags
                    a{1001}                  ~ cannot be used: it repeats a part more than 1,000 times
                    a{2,99999999999}         ~ cannot be used: it repeats a part more than 1,000
                    (a{1000}){1000}          ~ cannot be used: with its repeats written out
                    ((((a{9}){9}){9}){9}){9} ~ cannot be used: with its repeats written out
                    (\\p{L}|\\p{N}){20}      ~ cannot be used: with its repeats written out
                    \\p{Emoji}               ~ cannot be used: the property "Emoji" is not
                    \\p{Script=Klingon}      ~ cannot be used: the property
                    \\uD800                  ~ cannot be used: half of a surrogate pair
                    (                        ~ is not a regular expression of ECMA-262: a group does not end
                    a)                       ~ is not a regular expression of ECMA-262: a ) closes no group
                    [a                       ~ is not a regular expression of ECMA-262: a [ is not closed
                    [z-a]                    ~ is not a regular expression of ECMA-262: a range in [] runs backwards
                    a{3,2}                   ~ is not a regular expression of ECMA-262: a repeat runs backwards
                    *a                       ~ is not a regular expression of ECMA-262: nothing is there to repeat
                    a**                      ~ is not a regular expression of ECMA-262: a repeat is repeated
                    a++                      ~ is not a regular expression of ECMA-262: a repeat is repeated
                    ^*                       ~ is not a regular expression of ECMA-262: an assertion is repeated
                    a\\                      ~ is not a regular expression of ECMA-262: it ends with
                    \\A                      ~ is not a regular expression of ECMA-262: \\A means nothing
                    \\Qa\\E                  ~ is not a regular expression of ECMA-262: \\Q means nothing
                    \\x4                     ~ is not a regular expression of ECMA-262: \\x needs 2
                    \\u{110000}              ~ is not a regular expression of ECMA-262: \\u{} needs
                    """)
    void what_cannot_run_in_linear_time_is_refused_with_the_reason(String pattern, String reason) {
        assertThatThrownBy(() -> new LinearRegex(pattern))
                .isInstanceOf(PatternRefused.class)
                .hasMessageContaining(reason);
    }

    @Test
    void groups_are_nested_to_a_bound() {
        assertThatThrownBy(() -> new LinearRegex("(".repeat(20_000) + ")".repeat(20_000)))
                .isInstanceOf(PatternRefused.class)
                .hasMessageContaining("nested more than 100");
    }

    /// Twice the text is at most twice the steps, whatever the pattern.
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            textBlock =
                    """
                    ^(([a-z])+.)+[A-Z]([a-z])+$
                    (x+x+)+y
                    ^(a|a)*$b
                    ^(a|aa)+$b
                    (.*){40}x
                    ((a*)*)*b
                    ^(a?){50}a{50}b
                    """)
    void the_steps_of_a_pattern_grow_with_the_text_alone(String pattern) {
        long once = steps(pattern, "a".repeat(5_000));
        long twice = steps(pattern, "a".repeat(10_000));
        assertThat(once).isLessThan(SchemaLimit.REQUEST_STEPS.max());
        assertThat(twice).isLessThanOrEqualTo(2 * once + 10);
    }

    private static long steps(String pattern, String text) {
        var budget = new CheckBudget();
        budget.moveAway();
        var regex = new LinearRegex(pattern);
        ScopedValue.where(CheckBudget.CURRENT, budget).run(() -> regex.matches(text));
        return budget.steps();
    }
}
