package io.orchestrion.runs.run;

import io.orchestrion.runs.plan.FailureMode;

import org.jspecify.annotations.Nullable;

/// What a run was asked to do.
///
/// @param task for whoever plans it
/// @param context JSON text of an object, from the caller
/// @param plan JSON text of a plan that is sent along; null where it is made later, and in a run
///     that was read: [RunSql#plan] has it
/// @param toolPolicies JSON text: `{tool: allow | confirm | block}`
/// @param createdBy who asked, in the words of [Requester]
/// @param trace the W3C traceparent that it was asked within; null for none
public record Asked(
        String name,
        String task,
        @Nullable String context,
        @Nullable String plan,
        PlannerMode planner,
        Priority priority,
        FailureMode failureMode,
        @Nullable String toolPolicies,
        String createdBy,
        @Nullable String trace) {

    /// Within no trace.
    public Asked(
            String name,
            String task,
            @Nullable String context,
            @Nullable String plan,
            PlannerMode planner,
            Priority priority,
            FailureMode failureMode,
            @Nullable String toolPolicies,
            String createdBy) {
        this(
                name,
                task,
                context,
                plan,
                planner,
                priority,
                failureMode,
                toolPolicies,
                createdBy,
                null);
    }

    public Asked traced(@Nullable String traceparent) {
        return new Asked(
                name,
                task,
                context,
                plan,
                planner,
                priority,
                failureMode,
                toolPolicies,
                createdBy,
                traceparent);
    }
}
