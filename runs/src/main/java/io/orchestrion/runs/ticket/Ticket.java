package io.orchestrion.runs.ticket;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// Something about a run that people are called for.
///
/// @param seq the number of its newest event
/// @param added how often the same run called again while it was open
/// @param holds whether the run waits for what is said
/// @param answer null while it is open
public record Ticket(
        UUID id,
        UUID run,
        int seq,
        Status status,
        Trigger trigger,
        Cause cause,
        boolean holds,
        long createdMs,
        @Nullable Answer answer) {
    /// Every ticket is urgent.
    public static final String SEVERITY = "high";

    /// @param first why it was opened
    /// @param last why the run called again; null where it did not
    public record Trigger(String first, int added, @Nullable String last) {}

    public record Cause(@Nullable String code, String message) {}

    /// @param by in the words of [io.orchestrion.runs.run.Requester]
    public record Answer(long atMs, String by, Resolution resolution, @Nullable String note) {}

    public enum Status {
        OPEN,
        RESOLVED,
        /// Its run ended before anybody answered.
        CLOSED;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        public static List<String> words() {
            return Arrays.stream(values()).map(Status::word).toList();
        }

        public static Optional<Status> named(String word) {
            return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
        }
    }

    /// How it goes on with the run.
    public enum Resolution {
        RESUME,
        CANCEL,
        /// The run was over.
        OVER;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        public static Optional<Resolution> named(String word) {
            return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
        }
    }

    public Ticket calledAgain(String why, boolean holdsNow) {
        return new Ticket(
                id,
                run,
                seq + 1,
                status,
                new Trigger(trigger.first, trigger.added + 1, why),
                cause,
                holds || holdsNow,
                createdMs,
                answer);
    }

    public Ticket answered(Status next, Answer said) {
        return new Ticket(id, run, seq + 1, next, trigger, cause, holds, createdMs, said);
    }
}
