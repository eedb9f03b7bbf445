package io.orchestrion.server.ops;

import java.util.Collection;
import java.util.Locale;

/// Finds the name somebody meant when they wrote another.
final class Suggestion {
    private Suggestion() {}

    /// ` (did you mean port?)`, or nothing when no name is near.
    static String didYouMean(String written, Collection<String> names) {
        String best = "";
        // Two typos in a short word make another word; longer names bear one for every three
        // letters.
        int bound = Math.max(1, written.length() / 3);
        for (String name : names) {
            int distance =
                    distance(written.toLowerCase(Locale.ROOT), name.toLowerCase(Locale.ROOT));
            if (distance <= bound) {
                bound = distance - 1;
                best = name;
            }
        }
        return best.isEmpty() ? "" : " (did you mean " + best + "?)";
    }

    /// Levenshtein distance.
    private static int distance(String a, String b) {
        int[] previous = new int[b.length() + 1];
        for (int j = 0; j <= b.length(); j++) {
            previous[j] = j;
        }
        for (int i = 1; i <= a.length(); i++) {
            int[] current = new int[b.length() + 1];
            current[0] = i;
            for (int j = 1; j <= b.length(); j++) {
                int swap = previous[j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                current[j] = Math.min(swap, Math.min(previous[j], current[j - 1]) + 1);
            }
            previous = current;
        }
        return previous[b.length()];
    }
}
