package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which approvals are listed, oldest first. Null leaves a filter out.
///
/// @param kind [AttemptKind#STEP] or [AttemptKind#COMPENSATION]
/// @param dueBeforeMs only those that expire before then
/// @param after the id of the last one of the page before
public record ApprovalQuery(
        UUID account,
        @Nullable ApprovalStatus status,
        @Nullable AttemptKind kind,
        @Nullable String assigneeGroup,
        @Nullable UUID execution,
        @Nullable Long dueBeforeMs,
        @Nullable UUID after,
        int limit) {}
