package io.orchestrion.orchestrations.execution;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.kernel.retry.ErrorClass;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;

/// What the engine tells of in the account's log, with all its words.
public final class Subjects {
    private static final String LOG = "orchestrations";
    private static final JsonMapper JSON = JsonMapper.shared();

    static final SubjectKind EXECUTION =
            new SubjectKind(
                    "execution",
                    LOG,
                    List.of(
                            "started",
                            "waiting_approval",
                            "paused",
                            "resumed",
                            "succeeded",
                            "failed",
                            "canceled",
                            "retried"),
                    ExecutionStatus.words());

    static final SubjectKind STEP =
            new SubjectKind("execution_step", LOG, StepStatus.words(), StepStatus.words());

    static final SubjectKind APPROVAL =
            new SubjectKind(
                    "approval",
                    LOG,
                    List.of("requested", "approved", "rejected", "expired", "canceled"),
                    ApprovalStatus.words());

    static final SubjectKind DEAD_LETTER =
            new SubjectKind(
                    "dead_letter",
                    LOG,
                    List.of("opened", "handled", "reprocessed", "resolved", "reason_changed"),
                    DeadLetter.Status.words());

    /// Given to a kernel that is to have executions.
    public static final List<SubjectKind> ALL = List.of(EXECUTION, STEP, APPROVAL, DEAD_LETTER);

    private Subjects() {}

    /// Why an execution's status changes, and who wanted it.
    ///
    /// @param by null where the engine did it
    record Cause(@Nullable Requester by, @Nullable String reason) {
        static final Cause ENGINE = new Cause(null, null);

        static Cause of(String reason) {
            return new Cause(null, reason);
        }
    }

    static SubjectEvent of(@Nullable Execution before, Execution now, long nowMs, Cause cause) {
        ObjectNode data = JSON.createObjectNode();
        data.put("execution_id", now.id().toString());
        data.put("idempotency_key", now.asked().idempotencyKey());
        data.put("definition_id", now.definition().id().toString());
        data.put("definition_version", now.definition().version());
        data.put("target_object_type", now.asked().target().type());
        data.put("target_object_id", now.asked().target().id());
        data.put("attempt_count", now.attemptCount());
        data.put("actor", cause.by() == null ? "engine" : cause.by().word());
        if (cause.reason() != null) {
            data.put("reason", cause.reason());
        }
        StepError error = now.ending().error();
        if (error != null) {
            data.put("error_class", error.errorClass().name());
            data.put("error_code", error.code());
            data.put("error_summary", error.summary());
        }
        ExecutionStatus from = before == null ? null : before.status();
        SubjectEvent event =
                SubjectEvent.of(
                                EXECUTION.word(),
                                now.id(),
                                now.seq(),
                                word(from, now.status()),
                                from == null ? null : from.word(),
                                now.status().word())
                        .with(data.toString(), now.asked().correlationId());
        event = event.counted(now.definition().id().toString()).traced(now.asked().trace());
        if (from == null || now.status().isTerminal()) {
            event = event.auditedUnder(now.id());
        }
        return from != ExecutionStatus.RUNNING || !now.status().isTerminal()
                ? event
                : event.after(nowMs - now.times().startedMs());
    }

    private static String word(@Nullable ExecutionStatus from, ExecutionStatus to) {
        if (from == null) {
            return "started";
        }
        return switch (to) {
            case RUNNING -> from == ExecutionStatus.FAILED ? "retried" : "resumed";
            case WAITING_APPROVAL, PAUSED, SUCCEEDED, FAILED, CANCELED -> to.word();
        };
    }

    static SubjectEvent of(
            @Nullable StepStatus from,
            StepAttempt now,
            @Nullable String correlationId,
            long nowMs,
            @Nullable ErrorClass retried) {
        ObjectNode data = JSON.createObjectNode();
        data.put("execution_id", now.execution().toString());
        data.put("step_id", now.place().stepId());
        data.put("step_execution_id", now.id().toString());
        data.put("step_type", now.place().type().word());
        data.put("kind", now.place().kind().word());
        data.put("attempt_number", now.place().number());
        data.put("idempotency_key", now.key().value());
        StepError error = now.ended().error();
        if (error != null) {
            data.put("error_class", error.errorClass().name());
            data.put("error_code", error.code());
            data.put("error_summary", error.summary());
        }
        SubjectEvent event =
                SubjectEvent.of(
                                STEP.word(),
                                now.id(),
                                now.seq(),
                                now.status().word(),
                                from == null ? null : from.word(),
                                now.status().word())
                        .with(data.toString(), correlationId);
        // A retry is also counted by why it is made; nothing is subtracted from these counts.
        String type = now.place().type().word();
        event = event.counted(retried == null ? type : type + "/" + retried.name());
        if (now.place().kind() == AttemptKind.COMPENSATION) {
            event = event.auditedUnder(now.execution());
        }
        Long started = now.times().startedMs();
        return from == StepStatus.RUNNING && started != null ? event.after(nowMs - started) : event;
    }

    static SubjectEvent of(Approval now, String correlationId) {
        boolean first = now.seq() == 1;
        ObjectNode data = JSON.createObjectNode();
        data.put("execution_id", now.execution().toString());
        data.put("step_id", now.stepId());
        data.put("step_execution_id", now.stepExecution().toString());
        data.put("kind", now.kind().word());
        if (now.question().assigneeGroup() != null) {
            data.put("assignee_group", now.question().assigneeGroup());
        }
        if (now.answer() != null && now.answer().by() != null) {
            data.put("actor", now.answer().by().word());
        }
        return SubjectEvent.of(
                        APPROVAL.word(),
                        now.id(),
                        now.seq(),
                        first ? "requested" : now.status().word(),
                        first ? null : ApprovalStatus.PENDING.word(),
                        now.status().word())
                .with(data.toString(), correlationId);
    }

    /// @param before null for a new one
    static SubjectEvent of(@Nullable DeadLetter before, DeadLetter now) {
        DeadLetter.Status from = before == null ? null : before.status();
        String word = word(before, now);
        ObjectNode data = JSON.createObjectNode();
        data.put("execution_id", now.origin().execution().toString());
        data.put("step_id", now.stepId());
        data.put("step_execution_id", now.stepExecution().toString());
        data.put("reason", now.reason().word());
        data.put("error_class", now.error().errorClass().name());
        data.put("error_code", now.error().code());
        data.put("error_summary", now.error().summary());
        return SubjectEvent.of(
                        DEAD_LETTER.word(),
                        now.id(),
                        now.seq(),
                        word,
                        from == null ? null : from.word(),
                        now.status().word())
                .with(data.toString(), now.origin().correlationId())
                .counted(
                        before == null ? now.reason().word() : before.reason().word(),
                        now.reason().word());
    }

    private static String word(@Nullable DeadLetter before, DeadLetter now) {
        if (now.status() != DeadLetter.Status.OPEN) {
            return now.status().word();
        }
        return before == null ? "opened" : "reason_changed";
    }
}
