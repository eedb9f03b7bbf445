package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;

import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.StopRequest;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskErrorAnswers;
import io.orchestrion.server.taskdoor.TaskFault;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The answers about tasks, each with its guidance.
public final class TaskAnswers {
    private TaskAnswers() {}

    static byte[] taskBody(WorkItem item, Documents documents, AgentContract contract) {
        return JsonWriter.object(
                out ->
                        out.object("task", task -> TaskJson.write(task, item, documents))
                                .object("agent_contract", contract::write));
    }

    static Answer task(WorkItem item, Documents documents, AgentContract contract) {
        return Answer.json(200, taskBody(item, documents, contract));
    }

    /// For a holder, who has the payload already.
    static Answer brief(WorkItem item, @Nullable Documents written, AgentContract contract) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("task", task -> writeBrief(task, item, written))
                                        .object("agent_contract", contract::write)));
    }

    /// For a holder whose lease was renewed.
    static Answer renewed(WorkItem item, AgentContract contract) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("task", task -> writeBrief(task, item, null))
                                        .object("agent_contract", contract::write)
                                        .object("directives", told -> directives(told, item))));
    }

    /// What the holder is asked to do.
    static void directives(JsonWriter out, WorkItem item) {
        out.bool("pause_requested", item.holding().stop() == StopRequest.PAUSE)
                .bool("cancel_requested", item.cancelRequested());
        Long deadline = item.lease().deadlineMs();
        if (deadline == null) {
            out.nil("deadline_at");
        } else {
            out.instant("deadline_at", deadline.longValue());
        }
    }

    static void writeBrief(JsonWriter out, WorkItem item, @Nullable Documents written) {
        TaskJson.writeBrief(out, item);
        if (written != null) {
            out.raw("result", written.result()).text("outputId", written.outputRef());
        }
    }

    static Answer claimed(WorkItem item, Documents documents, long nowMs) {
        AgentContract contract = TaskGuidance.forClaimed(item, documents.outputRef(), nowMs);
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("task", task -> TaskJson.write(task, item, documents))
                                        .text("leaseToken", String.valueOf(item.lease().token()))
                                        .object("agent_contract", contract::write)));
    }

    /// @param paused whether that is because the type is
    static Answer nothingToClaim(boolean paused) {
        AgentContract contract =
                paused ? TaskGuidance.forPausedClaim() : TaskGuidance.forEmptyClaim();
        return Answer.json(
                200,
                JsonWriter.object(
                        out -> {
                            out.nil("task").object("agent_contract", contract::write);
                            if (paused) {
                                out.bool("typePaused", true);
                            }
                        }));
    }

    /// When the store failed all of several: the whole has failed, and may be sent again as such.
    /// Null when something else came of one of them.
    static @Nullable Answer troubled(Call call, List<@Nullable TaskFault> faults) {
        StoreTrouble whole = null;
        for (TaskFault fault : faults) {
            StoreTrouble trouble = fault == null ? null : fault.trouble();
            if (trouble == null || trouble == StoreTrouble.INTERNAL) {
                return null;
            }
            whole = whole == StoreTrouble.OUTCOME_UNKNOWN ? whole : trouble;
        }
        return whole == null ? null : TaskErrorAnswers.troubled(call, whole);
    }

    /// Words the kernel's refusal for this door.
    static Answer refused(Call call, Refusal refusal, String verb, long nowMs) {
        TaskFault fault = TaskRefusals.of(refusal, verb);
        return switch (refusal) {
            case Refusal.NotFound _ -> TaskErrorAnswers.error(call, fault.error(), fault.message());
            case Refusal.WrongState(var item)
                    when holderSpeaks(call) && item.state() == CANCELLED ->
                    error(call, fault, TaskGuidance.forStopped(item));
            case Refusal.WrongState(var item) -> about(call, fault, item, nowMs);
            case Refusal.Held(var item) -> about(call, fault, item, nowMs);
            case Refusal.LeaseExpired(var item) -> about(call, fault, item, nowMs);
            case Refusal.LeaseLost(var item) -> about(call, fault, item, nowMs);
            case Refusal.Revoked(var item) -> error(call, fault, TaskGuidance.forStopped(item));
            case Refusal.NotReady(var item) -> about(call, fault, item, nowMs);
            case Refusal.Managed(var item, _) -> about(call, fault, item, nowMs);
            case Refusal.Rejected(var item, _) -> error(call, fault, TaskGuidance.forStopped(item));
            case Refusal.KindPaused(var item) -> about(call, fault, item, nowMs);
            case Refusal.TooManyHeld(_, var waitMs) ->
                    TaskErrorAnswers.later(
                            call,
                            fault.error(),
                            Math.min(waitSeconds(waitMs), TaskActions.IDLE_WAIT_SECONDS),
                            fault.message());
            case Refusal.TooManyClaims(_, var waitMs) ->
                    TaskErrorAnswers.later(
                            call, fault.error(), waitSeconds(waitMs), fault.message());
            case Refusal.KeyBusy(_, var busy) ->
                    TaskErrorAnswers.later(
                            call,
                            fault.error(),
                            busy.limit() == KeyLimits.Limit.CONCURRENCY
                                    ? Math.min(
                                            waitSeconds(busy.waitMs()),
                                            TaskActions.IDLE_WAIT_SECONDS)
                                    : waitSeconds(busy.waitMs()),
                            fault.message());
            case Refusal.ClaimOver _ -> error(call, fault, TaskGuidance.forClaimOver());
            case Refusal.ClaimConflict _ -> error(call, fault, TaskGuidance.forClaimConflict());
        };
    }

    private static Answer error(Call call, TaskFault fault, AgentContract contract) {
        return TaskErrorAnswers.error(
                call, fault.error(), fault.error().status(), fault.message(), contract);
    }

    /// Whether the endpoint is one for lease holders.
    private static boolean holderSpeaks(Call call) {
        Endpoint endpoint = call.endpoint();
        return endpoint != null && endpoint.urgency() == Urgency.HOLDER;
    }

    static long waitSeconds(long waitMs) {
        return Math.max(1, (waitMs + 999) / 1000);
    }

    private static Answer about(Call call, TaskFault fault, WorkItem item, long nowMs) {
        return error(
                call, fault, TaskGuidance.forTaskError(fault.error(), item, nowMs, call.path()));
    }

    public static Answer noSuchTask(Call call) {
        TaskFault fault = TaskRefusals.NO_SUCH_TASK;
        return TaskErrorAnswers.error(call, fault.error(), fault.message());
    }
}
