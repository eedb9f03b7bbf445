package io.orchestrion.server.tasks;

import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.work.Documents;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.server.http.Answer;
import io.orchestrion.server.http.Call;
import io.orchestrion.server.json.JsonWriter;

import org.jspecify.annotations.Nullable;

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
                                out.object(
                                                "task",
                                                task -> {
                                                    TaskJson.writeBrief(task, item);
                                                    if (written != null) {
                                                        task.raw("result", written.result())
                                                                .text(
                                                                        "outputId",
                                                                        written.outputRef());
                                                    }
                                                })
                                        .object("agent_contract", contract::write)));
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

    static Answer nothingToClaim() {
        return Answer.json(
                200,
                JsonWriter.object(
                        out ->
                                out.nil("task")
                                        .object(
                                                "agent_contract",
                                                AgentContract.forEmptyClaim()::write)));
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
        Answer answer =
                Answer.json(
                        status,
                        JsonWriter.object(
                                out ->
                                        out.text("error", error.code())
                                                .text("message", message)
                                                .text("request_id", call.requestId())
                                                .object("agent_contract", contract::write)));
        Long wait =
                contract.actions().stream()
                        .map(NextAction::waitSeconds)
                        .filter(seconds -> seconds != null)
                        .findFirst()
                        .orElse(null);
        boolean retryLater = status == 503 || status == 429;
        return retryLater && wait != null ? answer.with("Retry-After", wait.toString()) : answer;
    }

    /// What the kernel would not do, in the door's words.
    static Answer refused(Call call, Refusal refusal, String verb, long nowMs) {
        return switch (refusal) {
            case Refusal.NotFound _ -> noSuchTask(call);
            case Refusal.WrongState(var item) ->
                    about(
                            call,
                            TaskError.INVALID_TRANSITION,
                            item,
                            nowMs,
                            "A task that is "
                                    + TaskStatus.of(item.state()).word()
                                    + " cannot be "
                                    + verb
                                    + ".");
            case Refusal.Held(var item) ->
                    about(
                            call,
                            TaskError.TASK_CURRENTLY_CLAIMED,
                            item,
                            nowMs,
                            "A worker holds this task; its lease must end first.");
            case Refusal.LeaseExpired(var item) ->
                    about(
                            call,
                            TaskError.LEASE_EXPIRED,
                            item,
                            nowMs,
                            "The lease on this task has run out.");
            case Refusal.LeaseLost(var item) ->
                    about(
                            call,
                            TaskError.LEASE_EXPIRED,
                            item,
                            nowMs,
                            "The leaseToken is not that of the current lease.");
            case Refusal.NotReady(var item) ->
                    about(
                            call,
                            TaskError.NOT_YET_CLAIMABLE,
                            item,
                            nowMs,
                            "This task cannot be claimed yet.");
            case Refusal.TooManyHeld(var max, var waitMs) ->
                    later(
                            call,
                            TaskError.MAX_WORKERS_REACHED,
                            Math.min(waitSeconds(waitMs), AgentContract.IDLE_WAIT_SECONDS),
                            "The plan allows "
                                    + max
                                    + " live leases at once, and so many are held.");
            case Refusal.TooManyClaims(var max, var waitMs) ->
                    later(
                            call,
                            TaskError.RATE_LIMITED,
                            waitSeconds(waitMs),
                            "The plan allows " + max + " claims an hour.");
            case Refusal.KeyBusy(_, var busy) -> keyBusy(call, busy);
            case Refusal.Managed(var item) ->
                    about(
                            call,
                            TaskError.MANAGED_TASK,
                            item,
                            nowMs,
                            "This task belongs to " + item.owner() + ".");
        };
    }

    private static Answer keyBusy(Call call, KeyLimits.Busy busy) {
        return switch (busy.limit()) {
            case CONCURRENCY ->
                    later(
                            call,
                            TaskError.CONCURRENCY_LIMITED,
                            Math.min(waitSeconds(busy.waitMs()), AgentContract.IDLE_WAIT_SECONDS),
                            "The task's type allows "
                                    + busy.max()
                                    + " of one concurrencyKey at once, and so many are held.");
            case RATE ->
                    later(
                            call,
                            TaskError.START_RATE_LIMITED,
                            waitSeconds(busy.waitMs()),
                            "The task's type allows "
                                    + busy.max()
                                    + " starts of one rateKey in its period, and so many were"
                                    + " made.");
        };
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

    private static Answer about(
            Call call, TaskError error, WorkItem item, long nowMs, String message) {
        return error(
                call,
                error,
                error.status(),
                message,
                AgentContract.forTaskError(error, item, nowMs, call.path()));
    }

    static Answer noSuchTask(Call call) {
        return error(call, TaskError.TASK_NOT_FOUND, "This account has no such task.");
    }
}
