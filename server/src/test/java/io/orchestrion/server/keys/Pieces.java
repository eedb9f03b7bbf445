package io.orchestrion.server.keys;

import java.util.ArrayList;
import java.util.List;

/// Pieces of secrets, looked for all at once by a hash that rolls over a text. Looking for each of
/// a hundred pieces by itself took most of the time of the tests that search everywhere.
final class Pieces {
    /// A quarter of a secret. No piece is shorter.
    private static final int WINDOW = 16;

    private static final int BASE = 31;
    private static final int BUCKETS = 1 << 16;

    private final List<List<String>> byHash = new ArrayList<>();
    private final int oldest;

    Pieces(List<String> pieces) {
        for (int i = 0; i < BUCKETS; i++) {
            byHash.add(List.of());
        }
        int power = 1;
        for (int i = 1; i < WINDOW; i++) {
            power *= BASE;
        }
        oldest = power;
        for (String piece : pieces) {
            int bucket = bucket(piece.substring(0, WINDOW).hashCode());
            var with = new ArrayList<>(byHash.get(bucket));
            with.add(piece);
            byHash.set(bucket, with);
        }
    }

    private static int bucket(int hash) {
        return (hash ^ (hash >>> 16)) & (BUCKETS - 1);
    }

    /// The texts in which one of them stands.
    List<String> foundIn(List<String> texts) {
        return texts.stream().filter(this::isIn).toList();
    }

    boolean isIn(String text) {
        int hash = 0;
        for (int end = 0; end < text.length(); end++) {
            hash = hash * BASE + text.charAt(end);
            int start = end - WINDOW + 1;
            if (start >= 0) {
                for (String piece : byHash.get(bucket(hash))) {
                    if (text.startsWith(piece, start)) {
                        return true;
                    }
                }
                hash -= text.charAt(start) * oldest;
            }
        }
        return false;
    }
}
