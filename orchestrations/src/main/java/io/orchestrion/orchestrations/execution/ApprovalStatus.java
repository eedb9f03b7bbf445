package io.orchestrion.orchestrations.execution;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Where an approval is. From PENDING it goes to one of the others, and stays there.
public enum ApprovalStatus {
    PENDING,
    APPROVED,
    REJECTED,
    EXPIRED,
    CANCELED;

    private final String word = name().toLowerCase(Locale.ROOT);

    public String word() {
        return word;
    }

    public static List<String> words() {
        return Arrays.stream(values()).map(ApprovalStatus::word).toList();
    }

    public static Optional<ApprovalStatus> named(String word) {
        return Arrays.stream(values()).filter(each -> each.word.equals(word)).findFirst();
    }
}
