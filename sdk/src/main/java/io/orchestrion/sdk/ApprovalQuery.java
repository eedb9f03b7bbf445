package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// Which approvals to list, oldest first. Each method returns a changed copy.
///
/// ```java
/// Page<Approval> inbox = client.orchestrations().approvals().list(ApprovalQuery.PENDING);
/// ```
///
/// @param status such as `pending`; null for all
/// @param kind [StepKind#STEP] or [StepKind#COMPENSATION]; null for both
/// @param dueBefore only those that expire before then; null for all
/// @param limit 1 to 100; null for the server's default of 50
/// @param cursor the cursor of the page before; null for the first page
public record ApprovalQuery(
        @Nullable String status,
        @Nullable StepKind kind,
        @Nullable String assigneeGroup,
        @Nullable UUID executionId,
        @Nullable Instant dueBefore,
        @Nullable Integer limit,
        @Nullable String cursor) {
    /// Every approval there ever was.
    public static final ApprovalQuery ALL =
            new ApprovalQuery(null, null, null, null, null, null, null);

    /// The inbox: what waits for somebody.
    public static final ApprovalQuery PENDING = ALL.withStatus("pending");

    public ApprovalQuery withStatus(@Nullable String status) {
        return new ApprovalQuery(
                status, kind, assigneeGroup, executionId, dueBefore, limit, cursor);
    }

    public ApprovalQuery withKind(@Nullable StepKind kind) {
        return new ApprovalQuery(
                status, kind, assigneeGroup, executionId, dueBefore, limit, cursor);
    }

    public ApprovalQuery forGroup(@Nullable String group) {
        return new ApprovalQuery(status, kind, group, executionId, dueBefore, limit, cursor);
    }

    public ApprovalQuery ofExecution(@Nullable UUID id) {
        return new ApprovalQuery(status, kind, assigneeGroup, id, dueBefore, limit, cursor);
    }

    /// Only those that expire before then.
    public ApprovalQuery dueBefore(@Nullable Instant time) {
        return new ApprovalQuery(status, kind, assigneeGroup, executionId, time, limit, cursor);
    }

    public ApprovalQuery withLimit(@Nullable Integer limit) {
        return new ApprovalQuery(
                status, kind, assigneeGroup, executionId, dueBefore, limit, cursor);
    }

    public ApprovalQuery after(@Nullable String cursor) {
        return new ApprovalQuery(
                status, kind, assigneeGroup, executionId, dueBefore, limit, cursor);
    }

    Parameters parameters() {
        return new Parameters()
                .with("status", status)
                .with("kind", kind == null ? null : kind.word())
                .with("assignee_group", assigneeGroup)
                .with("execution_id", executionId)
                .with("due_before", dueBefore)
                .with("limit", limit)
                .with("cursor", cursor);
    }
}
