package io.orchestrion.tools;

import java.util.Collection;
import java.util.Locale;

/// Finds the name somebody meant when they wrote another.
public final class Suggestion {
    private Suggestion() {}

    /// ` (did you mean port?)`, or nothing when no name is near.
    public static String didYouMean(String written, Collection<String> names) {
        return didYouMean("", written, names);
    }

    /// For names that all begin with the same words, which would make any two of them alike.
    public static String didYouMean(String prefix, String written, Collection<String> names) {
        String best = nearest(unprefixed(prefix, written), prefix, names);
        return best.isEmpty() ? "" : " (did you mean " + best + "?)";
    }

    private static String unprefixed(String prefix, String name) {
        String rest = name.startsWith(prefix) ? name.substring(prefix.length()) : name;
        return rest.toLowerCase(Locale.ROOT);
    }

    private static String nearest(String written, String prefix, Collection<String> names) {
        String best = "";
        // Two typos in a short word make another word; longer names bear one for every three
        // letters.
        int bound = Math.max(1, written.length() / 3);
        for (String name : names) {
            int distance = distance(written, unprefixed(prefix, name));
            if (distance <= bound) {
                bound = distance - 1;
                best = name;
            }
        }
        return best;
    }

    /// Letters to add, drop, change or swap with their neighbour.
    private static int distance(String a, String b) {
        int[][] d = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    d[i][j] = i + j;
                    continue;
                }
                int change = a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1;
                d[i][j] =
                        Math.min(d[i - 1][j - 1] + change, Math.min(d[i - 1][j], d[i][j - 1]) + 1);
                if (i > 1
                        && j > 1
                        && a.charAt(i - 1) == b.charAt(j - 2)
                        && a.charAt(i - 2) == b.charAt(j - 1)) {
                    d[i][j] = Math.min(d[i][j], d[i - 2][j - 2] + 1);
                }
            }
        }
        return d[a.length()][b.length()];
    }
}
