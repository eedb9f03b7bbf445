package io.orchestrion.kernel.schema;

import java.util.Locale;

/// What a schema and the checks against it may cost. The pages and the messages have these numbers
/// from here.
public enum SchemaLimit {
    /// Two hundred payloads of ten thousand steps each, or forty of 64 KB with thousands of values.
    REQUEST_STEPS(2_000_000, "steps that all checks of one request take together"),
    INLINE_STEPS(
            20_000,
            "of them taken where the request is; a check beyond them waits for a thread for long"
                    + " checks"),
    WAITING(64, "long checks that wait on a node"),
    WAITING_OF_ONE(8, "of them of one account"),
    DEPTH(400, "steps that a check goes deep"),
    /// How large its program can be, and so how much each character of a text can cost.
    PATTERN_PARTS(
            2_000, "parts of a pattern: characters, sets and signs, with repeats written out"),
    /// RE2 knows no more.
    PATTERN_REPEAT(1_000, "times that a pattern repeats a part"),
    /// Each is some fifty bytes of memory.
    PATTERNS_PARTS(10_000, "parts of all patterns of a schema together"),
    /// They are kept beside the subschemas, and one long name above many is in the address of each.
    ADDRESSES(1_000_000, "characters of the addresses of all subschemas of a schema together");

    private final int max;
    private final String meaning;

    SchemaLimit(int max, String meaning) {
        this.max = max;
        this.meaning = meaning;
    }

    public int max() {
        return max;
    }

    public String meaning() {
        return meaning;
    }

    /// The number as pages and messages write it.
    public String said() {
        return String.format(Locale.ROOT, "%,d", max);
    }
}
