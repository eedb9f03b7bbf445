package io.orchestrion.runs.artifact;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where an artifact is. From `deleted` nothing comes back.
public enum ArtifactState {
    UPLOADING,
    READY,
    DELETED;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ArtifactState::word).toList();
    }

    public static Optional<ArtifactState> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
