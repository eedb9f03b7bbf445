package io.orchestrion.kernel.schedule;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.UUID;

/// One entry in the history of a schedule.
///
/// @param seq its place; the newest has the highest
/// @param fireMs the time it was for
/// @param manual whether somebody asked for it
/// @param late whether it made good for a missed time
/// @param times how many times it stands for: more than one only for missed ones
/// @param taskId the task it made
/// @param atMs when it happened
public record Fire(
        long seq,
        long fireMs,
        boolean manual,
        boolean late,
        Result result,
        long times,
        @Nullable UUID taskId,
        @Nullable String detail,
        long atMs) {

    public enum Result {
        FIRED,
        /// No task, because of an earlier one.
        SKIPPED,
        /// No task, because it was too late.
        MISSED,
        /// No task, though there should be one.
        FAILED;

        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        static Result of(String word) {
            return valueOf(word.toUpperCase(Locale.ROOT));
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Result::word).toList();
        }
    }
}
