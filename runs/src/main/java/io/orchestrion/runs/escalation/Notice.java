package io.orchestrion.runs.escalation;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.Locale;
import java.util.UUID;

/// Whether whoever is on call was told of a ticket.
///
/// @param message what is told, as JSON text
/// @param attempts items that were made for it
/// @param sentMs when the receiver had accepted it; null before
/// @param lastError why the last attempt failed
public record Notice(
        UUID ticket,
        Status status,
        String message,
        int attempts,
        long createdMs,
        @Nullable Long sentMs,
        @Nullable String lastError) {
    public enum Status {
        WAITING,
        /// It may have been sent already.
        SENDING,
        SENT,
        /// All attempts failed, or the run ended before it was sent.
        FAILED;

        private final String word = name().toLowerCase(Locale.ROOT);

        public String word() {
            return word;
        }

        static Status of(String word) {
            return Arrays.stream(values())
                    .filter(each -> each.word.equals(word))
                    .findFirst()
                    .orElseThrow();
        }
    }
}
