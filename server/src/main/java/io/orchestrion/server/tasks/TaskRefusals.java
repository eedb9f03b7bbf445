package io.orchestrion.server.tasks;

import static io.orchestrion.server.taskdoor.TaskDoorSpecs.PROFILE;

import io.orchestrion.kernel.flow.KeyLimits;
import io.orchestrion.kernel.work.Refusal;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.taskdoor.TaskError;
import io.orchestrion.server.taskdoor.TaskFault;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/// What the kernel refused to do with a task, in the words of the tasks door.
final class TaskRefusals {
    private TaskRefusals() {}

    static final TaskFault NO_SUCH_TASK =
            new TaskFault(TaskError.TASK_NOT_FOUND, "This account has no such task.");

    static TaskFault of(Refusal refusal, String verb) {
        return switch (refusal) {
            case Refusal.NotFound _ -> NO_SUCH_TASK;
            case Refusal.WrongState(var item)
                    when item.state() == WorkState.CANCELLED && !verb.equals("cancelled") ->
                    new TaskFault(
                            TaskError.INVALID_TRANSITION,
                            "This task was cancelled, so it cannot be "
                                    + verb
                                    + "; whoever works on it should stop.");
            case Refusal.WrongState(var item) ->
                    new TaskFault(
                            TaskError.INVALID_TRANSITION,
                            "A task that is "
                                    + TaskStatus.word(item.state())
                                    + " cannot be "
                                    + verb
                                    + ".");
            case Refusal.Held _ ->
                    new TaskFault(
                            TaskError.TASK_CURRENTLY_CLAIMED,
                            "A worker holds this task; its lease must end first.");
            case Refusal.LeaseExpired _ ->
                    new TaskFault(TaskError.LEASE_EXPIRED, "The lease on this task has run out.");
            case Refusal.LeaseLost _ ->
                    new TaskFault(
                            TaskError.LEASE_EXPIRED,
                            "The leaseToken is not that of the current lease.");
            case Refusal.Revoked _ ->
                    new TaskFault(
                            TaskError.LEASE_REVOKED,
                            "This task was cancelled while it was held, so it cannot be "
                                    + verb
                                    + "; whoever works on it should stop.");
            case Refusal.NotReady(var item) ->
                    new TaskFault(TaskError.NOT_YET_CLAIMABLE, notReady(item));
            case Refusal.KindPaused(var item) ->
                    new TaskFault(
                            TaskError.TYPE_PAUSED,
                            "The type " + item.kind() + " is paused: nothing of it is claimed.");
            case Refusal.KeyBusy(_, var busy) -> keyBusy(busy);
            case Refusal.TooManyHeld(var max, _) ->
                    new TaskFault(
                            TaskError.MAX_WORKERS_REACHED,
                            "The plan allows "
                                    + max
                                    + " live leases at once, and that many are held.");
            case Refusal.TooManyClaims(var max, _) ->
                    new TaskFault(
                            TaskError.RATE_LIMITED, "The plan allows " + max + " claims an hour.");
            case Refusal.ClaimOver _ ->
                    new TaskFault(
                            TaskError.LEASE_EXPIRED,
                            "All leases of the claim with this claimId have ended; claim again with"
                                    + " a new one.");
            case Refusal.ClaimConflict _ ->
                    new TaskFault(
                            TaskError.IDEMPOTENCY_CONFLICT,
                            "This claimId was used for another claim.");
            case Refusal.Managed(_, var words) -> new TaskFault(TaskError.MANAGED_TASK, words);
            case Refusal.Rejected(_, var error) ->
                    new TaskFault(
                            TaskError.RESULT_REJECTED,
                            "The result was not accepted ("
                                    + error.code()
                                    + "): "
                                    + error.message());
        };
    }

    private static String notReady(WorkItem item) {
        return switch (item.waitReason()) {
            case DEPENDENCY -> "This task cannot be claimed yet: it waits for other tasks.";
            case HOLD -> "This task cannot be claimed yet: it is held until somebody releases it.";
            case null, default -> "This task cannot be claimed yet.";
        };
    }

    private static TaskFault keyBusy(KeyLimits.Busy busy) {
        return switch (busy.limit()) {
            case CONCURRENCY ->
                    new TaskFault(
                            TaskError.CONCURRENCY_LIMITED,
                            "The task's type allows "
                                    + busy.max()
                                    + " of one concurrencyKey at once, and that many are held.");
            case RATE ->
                    new TaskFault(
                            TaskError.START_RATE_LIMITED,
                            "The task's type allows "
                                    + busy.max()
                                    + " starts of one rateKey in its period, and that many were"
                                    + " made.");
        };
    }

    /// Null where a task was created, now or before, or where an existing one is what was asked
    /// for.
    static @Nullable TaskFault of(Submitted submitted) {
        return switch (submitted) {
            case Submitted.Created _, Submitted.Replayed _, Submitted.Existing _ -> null;
            case Submitted.UnknownParent(var id, var place) ->
                    new TaskFault(
                            TaskError.INVALID_REQUEST,
                            "dependsOn["
                                    + place
                                    + "] must be the id of a task of this account; there is no "
                                    + id);
            case Submitted.UniqueConflict(var existing, _) ->
                    new TaskFault(
                            TaskError.UNIQUE_CONFLICT,
                            "Task "
                                    + existing.id()
                                    + ", which is "
                                    + TaskStatus.word(existing.state())
                                    + ", has the unique key of this one.");
            case Submitted.KeyConflict _ ->
                    new TaskFault(
                            TaskError.IDEMPOTENCY_CONFLICT,
                            "This idempotency key was used for another request.");
            case Submitted.KeyInFlight _ ->
                    new TaskFault(
                            TaskError.IDEMPOTENCY_IN_FLIGHT,
                            "The first request with this idempotency key is still under way.");
            case Submitted.OverQuota(var plan, var used, var planExpired) ->
                    new TaskFault(
                            planExpired ? TaskError.PLAN_EXPIRED : TaskError.QUOTA_EXCEEDED,
                            (planExpired ? "The paid plan has ended. " : "")
                                    + "The plan "
                                    + plan.name()
                                    + " allows "
                                    + plan.maxTasksPerMonth()
                                    + " tasks a month, and this month has "
                                    + used
                                    + ".");
            case Submitted.ScheduleRefused(var nowMs) ->
                    new TaskFault(
                            TaskError.INVALID_REQUEST,
                            "scheduledAt must be from now to "
                                    + PROFILE.bounds().schedule().ahead().toDays()
                                    + " days ahead; the server's time is "
                                    + Instant.ofEpochMilli(nowMs));
        };
    }
}
