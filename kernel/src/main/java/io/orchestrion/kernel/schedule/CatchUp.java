package io.orchestrion.kernel.schedule;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/// What becomes of times that passed while nobody could fire.
///
/// @param max how many of them are made good for, where all are to be
/// @param withinSeconds a fire that is no later than this is not missed
public record CatchUp(Policy policy, int max, int withinSeconds) {
    public static final int MAX_MAX = 1000;
    public static final int MAX_DEFAULT = 100;
    public static final int WITHIN_MAX = 3600;
    public static final int WITHIN_DEFAULT = 60;

    public enum Policy {
        /// None is made good for.
        SKIP,
        /// The newest stands for all of them, unless one that is on time does.
        LATEST,
        /// All of them are, the newest ones when there are too many.
        ALL;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        public static Policy of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Policy::word).toList();
        }
    }

    /// How many missed times are kept.
    int kept() {
        return switch (policy) {
            case SKIP -> 0;
            case LATEST -> 1;
            case ALL -> max;
        };
    }

    /// What is before this is missed.
    long missedBefore(long nowMs) {
        return nowMs - Duration.ofSeconds(withinSeconds).toMillis();
    }
}
