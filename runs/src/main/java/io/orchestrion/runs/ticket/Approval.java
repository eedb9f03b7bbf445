package io.orchestrion.runs.ticket;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// A call of a tool that a person is asked about before it is made.
///
/// @param attempt of the run
/// @param seq the number of its newest event
/// @param tool and `input`: the exact call, which is made as it is or not at all
/// @param answer null while nobody has decided
public record Approval(
        UUID id,
        UUID run,
        UUID step,
        int attempt,
        int seq,
        Status status,
        String tool,
        String input,
        long requestedMs,
        @Nullable Answer answer) {

    /// @param by in the words of [io.orchestrion.runs.run.Requester]
    public record Answer(long atMs, String by, @Nullable String note) {}

    public enum Status {
        PENDING,
        APPROVED,
        REJECTED,
        /// The call is not wanted any more.
        CANCELLED;

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

    public Approval answered(Status next, Answer said) {
        return new Approval(id, run, step, attempt, seq + 1, next, tool, input, requestedMs, said);
    }
}
