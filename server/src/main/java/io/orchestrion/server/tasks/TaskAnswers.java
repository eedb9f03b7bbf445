package io.orchestrion.server.tasks;

import static io.orchestrion.kernel.work.WorkState.CANCELLED;

import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.StopRequest;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.door.StoreTrouble;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.http.Urgency;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The door's answers as bytes: every one of them with its guidance.
final class TaskAnswers {
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

    /// To a holder, who knows the payload.
    static Answer brief(WorkItem item, @Nullable Documents written, AgentContract contract) {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("task", task -> writeBrief(task, item, written))
                                        .object("agent_contract", contract::write)));
    }

    /// To a holder whose lease was renewed.
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
        out.bool("pause_requested", item.stop() == StopRequest.PAUSE)
                .bool("cancel_requested", item.cancelRequested());
        Long deadline = item.deadlineMs();
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
        AgentContract contract =
                AgentContract.forTask(item, documents.outputRef(), nowMs, false).onClaim(true);
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.object("task", task -> TaskJson.write(task, item, documents))
                                        .text("leaseToken", String.valueOf(item.leaseToken()))
                                        .object("agent_contract", contract::write)));
    }

    /// @param paused whether that is because the type is
    static Answer nothingToClaim(boolean paused) {
        AgentContract contract =
                paused ? AgentContract.forPausedClaim() : AgentContract.forEmptyClaim();
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

    static Answer badRequest(Call call, String message) {
        return error(call, TaskError.INVALID_REQUEST, message);
    }

    static Answer error(Call call, TaskError error, String message) {
        return error(
                call,
                error,
                error.status(),
                message,
                AgentContract.forError(error, call.method(), call.path()));
    }

    static Answer error(
            Call call, TaskError error, int status, String message, AgentContract contract) {
        return CallerScopes.paced(call, () -> paced(call, error, status, message, contract));
    }

    private static Answer paced(
            Call call, TaskError error, int status, String message, AgentContract contract) {
        call.fault(error.code(), message);
        Answer answer =
                Answer.json(
                        status,
                        JsonWriter.object(out -> writeError(out, call, error, message, contract)));
        Long wait =
                CallerScopes.seen(contract.actions()).stream()
                        .map(NextAction::waitSeconds)
                        .filter(seconds -> seconds != null)
                        .findFirst()
                        .orElse(null);
        boolean retryLater = status == 503 || status == 429 || status == 507;
        return retryLater && wait != null ? answer.with("Retry-After", wait.toString()) : answer;
    }

    static void writeError(
            JsonWriter out, Call call, TaskError error, String message, AgentContract contract) {
        out.text("error", error.code())
                .text("message", message)
                .text("request_id", call.requestId())
                .object("agent_contract", contract::write);
    }

    /// The store failed, and with it the whole request.
    static Answer troubled(Call call, StoreTrouble trouble) {
        TaskFault fault = TaskFault.of(trouble);
        return error(
                call,
                fault.error(),
                trouble == StoreTrouble.INTERNAL ? fault.error().status() : fault.storeStatus(),
                fault.message(),
                AgentContract.of(
                        fault.error().retryable(),
                        NextAction.waitAndRepeat(
                                trouble.waitSeconds(), call.method(), call.path())));
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
        return whole == null ? null : troubled(call, whole);
    }

    /// What the kernel would not do, in the door's words.
    static Answer refused(Call call, Refusal refusal, String verb, long nowMs) {
        TaskFault fault = TaskFault.of(refusal, verb);
        return switch (refusal) {
            case Refusal.NotFound _ -> error(call, fault.error(), fault.message());
            case Refusal.WrongState(var item)
                    when holderSpeaks(call) && item.state() == CANCELLED ->
                    error(call, fault, AgentContract.forStopped(item));
            case Refusal.WrongState(var item) -> about(call, fault, item, nowMs);
            case Refusal.Held(var item) -> about(call, fault, item, nowMs);
            case Refusal.LeaseExpired(var item) -> about(call, fault, item, nowMs);
            case Refusal.LeaseLost(var item) -> about(call, fault, item, nowMs);
            case Refusal.Revoked(var item) -> error(call, fault, AgentContract.forStopped(item));
            case Refusal.NotReady(var item) -> about(call, fault, item, nowMs);
            case Refusal.Managed(var item, _) -> about(call, fault, item, nowMs);
            case Refusal.Rejected(var item, _) ->
                    error(call, fault, AgentContract.forStopped(item));
            case Refusal.KindPaused(var item) -> about(call, fault, item, nowMs);
            case Refusal.TooManyHeld(_, var waitMs) ->
                    later(
                            call,
                            fault.error(),
                            Math.min(waitSeconds(waitMs), AgentContract.IDLE_WAIT_SECONDS),
                            fault.message());
            case Refusal.TooManyClaims(_, var waitMs) ->
                    later(call, fault.error(), waitSeconds(waitMs), fault.message());
            case Refusal.KeyBusy(_, var busy) ->
                    later(
                            call,
                            fault.error(),
                            busy.limit() == KeyLimits.Limit.CONCURRENCY
                                    ? Math.min(
                                            waitSeconds(busy.waitMs()),
                                            AgentContract.IDLE_WAIT_SECONDS)
                                    : waitSeconds(busy.waitMs()),
                            fault.message());
            case Refusal.ClaimOver _ -> error(call, fault, AgentContract.forClaimOver());
            case Refusal.ClaimConflict _ -> error(call, fault, AgentContract.forClaimConflict());
        };
    }

    private static Answer error(Call call, TaskFault fault, AgentContract contract) {
        return error(call, fault.error(), fault.error().status(), fault.message(), contract);
    }

    /// What comes from lease holders.
    private static boolean holderSpeaks(Call call) {
        Endpoint endpoint = call.endpoint();
        return endpoint != null && endpoint.urgency() == Urgency.HOLDER;
    }

    /// Refused for now: the same request may be sent again after the wait.
    static Answer later(Call call, TaskError error, long seconds, String message) {
        AgentContract contract =
                AgentContract.of(
                        error.retryable(),
                        NextAction.waitAndRepeat(seconds, call.method(), call.path()));
        return error(call, error, error.status(), message, contract);
    }

    static long waitSeconds(long waitMs) {
        return Math.max(1, (waitMs + 999) / 1000);
    }

    private static Answer about(Call call, TaskFault fault, WorkItem item, long nowMs) {
        return error(
                call, fault, AgentContract.forTaskError(fault.error(), item, nowMs, call.path()));
    }

    static Answer noSuchTask(Call call) {
        return error(call, TaskError.TASK_NOT_FOUND, TaskFault.NO_SUCH_TASK.message());
    }
}
