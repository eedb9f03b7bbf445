package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/// One version of a definition as its row has it.
///
/// @param document as its author wrote it, JSON text
public record DefinitionVersion(
        UUID id,
        int version,
        Status status,
        String name,
        String document,
        String checksum,
        Times times) {

    public enum Status {
        DRAFT,
        PUBLISHED,
        DEPRECATED;

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

    public record Times(
            long createdMs,
            long updatedMs,
            @Nullable Long publishedMs,
            @Nullable Long deprecatedMs) {}
}
