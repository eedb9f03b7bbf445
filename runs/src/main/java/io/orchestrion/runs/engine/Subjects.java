package io.orchestrion.runs.engine;

import io.orchestrion.kernel.events.SubjectEvent;
import io.orchestrion.kernel.events.SubjectKind;
import io.orchestrion.runs.id.PublicId;
import io.orchestrion.runs.run.Requester;
import io.orchestrion.runs.run.Run;
import io.orchestrion.runs.state.AgentStatus;
import io.orchestrion.runs.state.RunStatus;
import io.orchestrion.runs.state.StepStatus;
import io.orchestrion.runs.state.TaskStatus;
import io.orchestrion.runs.ticket.Approval;
import io.orchestrion.runs.ticket.Ticket;
import io.orchestrion.runs.tree.Agent;
import io.orchestrion.runs.tree.Fault;
import io.orchestrion.runs.tree.Step;
import io.orchestrion.runs.tree.Task;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/// What the engine tells of in the account's log, with all its words.
public final class Subjects {
    private static final String LOG = "runs";
    private static final int TEXT_MAX = 200;
    private static final JsonMapper JSON = JsonMapper.shared();

    static final String DELETED = "deleted";
    static final String PLANNED = "planned";
    static final String REPLANNED = "replanned";
    static final String ESCALATED = "escalated";
    static final String ABORTED = "aborted";
    static final String RETRIED = "retried";
    static final String HEARTBEAT_LOST = "heartbeat_lost";

    static final SubjectKind RUN =
            new SubjectKind(
                    "run",
                    LOG,
                    plus(
                            RunStatus.words(),
                            DELETED,
                            PLANNED,
                            REPLANNED,
                            ESCALATED,
                            ABORTED,
                            HEARTBEAT_LOST),
                    RunStatus.words());

    static final SubjectKind AGENT =
            new SubjectKind("run_agent", LOG, AgentStatus.words(), AgentStatus.words());

    static final SubjectKind TASK =
            new SubjectKind("run_task", LOG, TaskStatus.words(), TaskStatus.words());

    static final SubjectKind STEP =
            new SubjectKind("run_step", LOG, plus(StepStatus.words(), RETRIED), StepStatus.words());

    static final SubjectKind TICKET =
            new SubjectKind(
                    "run_ticket",
                    LOG,
                    List.of("opened", "added", "resolved", "closed"),
                    Ticket.Status.words());

    static final SubjectKind APPROVAL =
            new SubjectKind(
                    "run_approval",
                    LOG,
                    List.of("requested", "approved", "rejected", "cancelled"),
                    Approval.Status.words());

    /// Given to a kernel that is to have runs.
    public static final List<SubjectKind> ALL = List.of(RUN, AGENT, TASK, STEP, TICKET, APPROVAL);

    private Subjects() {}

    private static List<String> plus(List<String> words, String... more) {
        var all = new ArrayList<>(words);
        all.addAll(List.of(more));
        return all;
    }

    private static ObjectNode data(UUID run) {
        ObjectNode data = JSON.createObjectNode();
        data.put("run_id", PublicId.RUN.of(run));
        return data;
    }

    private static void put(ObjectNode data, String name, @Nullable String text) {
        if (text != null) {
            data.put(name, text.length() <= TEXT_MAX ? text : text.substring(0, TEXT_MAX));
        }
    }

    private static void put(ObjectNode data, Fault fault) {
        put(data, "error_code", fault.code());
        put(data, "error", fault.message());
        put(data, "skip_reason", fault.skipReason());
    }

    /// @param from null for a new one
    /// @param word what happened; null where it is the status that the run is in
    static SubjectEvent of(
            @Nullable RunStatus from,
            Run now,
            @Nullable String word,
            Requester by,
            @Nullable String reason) {
        ObjectNode data = data(now.id());
        put(data, "name", now.asked().name());
        data.put("attempt_number", now.attempt());
        data.put("plan_version", now.progress().planVersion());
        data.put("credits_reserved", now.credits().reserved());
        data.put("credits_charged", now.credits().charged());
        data.put("credits_refunded", now.credits().refunded());
        data.put("actor", by.word());
        put(data, "reason", reason);
        put(data, "error_code", now.note().errorCode());
        put(data, "error", now.note().error());
        SubjectEvent event =
                SubjectEvent.of(
                                RUN.word(),
                                now.id(),
                                now.seq(),
                                word == null ? now.status().word() : word,
                                from == null ? null : from.word(),
                                // A run that is deleted is in no status: it is not counted any
                                // more.
                                DELETED.equals(word) ? null : now.status().word())
                        .with(data.toString(), PublicId.RUN.of(now.id()))
                        .traced(now.asked().trace());
        // What a person does is audited where it is asked for.
        if (by == Requester.ENGINE && (from != now.status() || ESCALATED.equals(word))) {
            event = event.auditedUnder(now.id());
        }
        Long lasted = now.times().ends().durationMs();
        return lasted == null || from == now.status() || !now.status().isOver()
                ? event
                : event.after(lasted);
    }

    static SubjectEvent of(AgentStatus from, Agent now) {
        ObjectNode data = data(now.run());
        data.put("agent_id", PublicId.AGENT.of(now.id()));
        data.put("role", now.place().role().word());
        data.put("attempt_number", now.place().attempt());
        data.put("plan_version", now.place().planVersion());
        data.put("sequence_number", now.place().sequence());
        data.put("superseded", now.progress().superseded());
        put(data, now.fault());
        return timed(
                event(
                        AGENT,
                        now.id(),
                        now.seq(),
                        from.word(),
                        now.status().word(),
                        now.run(),
                        data),
                now.status().isOver(),
                now.clock().startedMs(),
                now.clock().endedMs());
    }

    static SubjectEvent of(TaskStatus from, Task now) {
        ObjectNode data = data(now.home().run());
        data.put("agent_id", PublicId.AGENT.of(now.home().agent()));
        data.put("task_id", PublicId.TASK.of(now.id()));
        put(data, "name", now.spec().name());
        data.put("task_attempt", now.progress().attempt());
        put(data, now.fault());
        UUID run = now.home().run();
        return timed(
                event(TASK, now.id(), now.seq(), from.word(), now.status().word(), run, data),
                now.status().isOver(),
                now.clock().startedMs(),
                now.clock().endedMs());
    }

    static SubjectEvent of(StepStatus from, Step now) {
        UUID run = now.home().run();
        return timed(
                event(
                        STEP,
                        now.id(),
                        now.seq(),
                        from.word(),
                        now.status().word(),
                        run,
                        dataOf(now)),
                now.status().isOver(),
                now.times().startedMs(),
                now.times().endedMs());
    }

    /// What has ended had lasted since its start.
    private static SubjectEvent timed(
            SubjectEvent event, boolean over, @Nullable Long startedMs, @Nullable Long endedMs) {
        return !over || startedMs == null || endedMs == null
                ? event
                : event.after(Math.max(0, endedMs - startedMs));
    }

    /// @param error by which the retries are counted
    static SubjectEvent retried(Step now, String error, long delayMs) {
        ObjectNode data = dataOf(now);
        put(data, "error_code", error);
        data.put("delay_ms", delayMs);
        String status = now.status().word();
        return SubjectEvent.of(STEP.word(), now.id(), now.seq(), RETRIED, status, status)
                .with(data.toString(), PublicId.RUN.of(now.home().run()))
                .counted(error);
    }

    private static ObjectNode dataOf(Step now) {
        ObjectNode data = data(now.home().run());
        data.put("agent_id", PublicId.AGENT.of(now.home().agent()));
        data.put("task_id", PublicId.TASK.of(now.home().task()));
        data.put("step_id", PublicId.STEP.of(now.id()));
        put(data, "tool", now.call().tool());
        data.put("attempt_number", now.progress().attempt());
        put(data, now.fault());
        return data;
    }

    /// @param before null for a new one
    static SubjectEvent of(@Nullable Ticket before, Ticket now, Requester by) {
        ObjectNode data = data(now.run());
        data.put("ticket_id", PublicId.TICKET.of(now.id()));
        data.put("severity", Ticket.SEVERITY);
        put(data, "trigger", now.trigger().first());
        put(data, "last_trigger", now.trigger().last());
        put(data, "error_code", now.cause().code());
        put(data, "error", now.cause().message());
        data.put("actor", by.word());
        boolean same = before != null && before.status() == now.status();
        String word = before == null ? "opened" : same ? "added" : now.status().word();
        String from = before == null ? null : before.status().word();
        return SubjectEvent.of(TICKET.word(), now.id(), now.seq(), word, from, now.status().word())
                .with(data.toString(), PublicId.RUN.of(now.run()))
                .counted(now.trigger().first());
    }

    static SubjectEvent of(Approval now, Requester by) {
        ObjectNode data = data(now.run());
        data.put("approval_id", now.id().toString());
        data.put("step_id", PublicId.STEP.of(now.step()));
        put(data, "tool", now.tool());
        data.put("actor", by.word());
        boolean first = now.seq() == 1;
        return SubjectEvent.of(
                        APPROVAL.word(),
                        now.id(),
                        now.seq(),
                        first ? "requested" : now.status().word(),
                        first ? null : Approval.Status.PENDING.word(),
                        now.status().word())
                .with(data.toString(), PublicId.RUN.of(now.run()));
    }

    private static SubjectEvent event(
            SubjectKind kind, UUID id, int seq, String from, String to, UUID run, ObjectNode data) {
        return SubjectEvent.of(kind.word(), id, seq, to, from, to)
                .with(data.toString(), PublicId.RUN.of(run));
    }
}
