package io.orchestrion.kernel.events;

/// How the totals of the log name what engines told of: by the kind of the subject, and for some by
/// a word beside it.
///
/// @param word empty for none
public record CountedKind(String kind, String word) {
    /// The event of the count under the former word, where a subject is counted under another one
    /// from now on or is removed. It is an event of no subject.
    public static final String LEFT = "left_count";

    private static final char BETWEEN = '/';

    static String of(String kind, String word) {
        return kind + BETWEEN + word;
    }

    /// As a total has it. A kind has no slash in it.
    public static CountedKind read(String kindOfTotal) {
        int at = kindOfTotal.indexOf(BETWEEN);
        return at < 0
                ? new CountedKind(kindOfTotal, "")
                : new CountedKind(kindOfTotal.substring(0, at), kindOfTotal.substring(at + 1));
    }
}
