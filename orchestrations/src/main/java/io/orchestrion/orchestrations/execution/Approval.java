package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// What a person is asked, as its row has it.
///
/// @param kind whether a step is to be approved, or that its effect is undone
/// @param seq of its newest event
public record Approval(
        UUID id,
        UUID execution,
        String stepId,
        UUID stepExecution,
        AttemptKind kind,
        ApprovalStatus status,
        int seq,
        Question question,
        @Nullable Answer answer) {

    /// @param input JSON text of what is to be approved
    /// @param dueMs when it expires; null for never
    public record Question(
            @Nullable String assigneeGroup,
            @Nullable String title,
            @Nullable String input,
            long requestedMs,
            @Nullable Long dueMs) {}

    /// @param by who decided; null where nobody did, because it expired or was overtaken
    public record Answer(long atMs, @Nullable Person by, @Nullable String note) {}

    Approval answered(ApprovalStatus to, Answer said) {
        if (status != ApprovalStatus.PENDING) {
            throw new IllegalStateException("approval " + id + " is " + status);
        }
        return new Approval(
                id, execution, stepId, stepExecution, kind, to, seq + 1, question, said);
    }
}
