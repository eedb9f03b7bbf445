package io.orchestrion.server.tasks;

import static io.orchestrion.server.taskdoor.TaskAction.CHECK_TASK_STATUS;
import static io.orchestrion.server.taskdoor.TaskAction.CLAIM_TASK;
import static io.orchestrion.server.taskdoor.TaskAction.COMPLETE_TASK;
import static io.orchestrion.server.taskdoor.TaskAction.DOWNLOAD_ARTIFACT;
import static io.orchestrion.server.taskdoor.TaskAction.FAIL_TASK;
import static io.orchestrion.server.taskdoor.TaskAction.FIX_REQUEST;
import static io.orchestrion.server.taskdoor.TaskAction.HEARTBEAT;
import static io.orchestrion.server.taskdoor.TaskAction.RELEASE_TASK;
import static io.orchestrion.server.taskdoor.TaskAction.REQUEUE_TASK;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.taskdoor.TaskAction;
import io.orchestrion.server.taskdoor.TaskActions;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TaskError;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The guidance on answers about tasks: what an agent can do next with a task as it stands.
final class TaskGuidance {
    private TaskGuidance() {}

    /// The parts of a contract beside the actions.
    ///
    /// @param claimable on claims only: whether a task was handed out
    /// @param lease where the answer is about a claimed task
    private record Details(@Nullable Boolean claimable, @Nullable Lease lease)
            implements AgentContract.Details {
        @Override
        public void write(JsonWriter out) {
            if (claimable != null) {
                out.bool("task_claimable", claimable);
            }
            if (lease != null) {
                lease.write(out);
            }
        }
    }

    /// @param heartbeatSeconds null once it has run out
    private record Lease(boolean valid, long expiresInSeconds, @Nullable Integer heartbeatSeconds) {
        static @Nullable Lease of(WorkItem item, long nowMs) {
            Long until = item.lease().untilMs();
            if (until == null) {
                return null;
            }
            return item.leaseLive(nowMs)
                    ? new Lease(
                            true,
                            (until - nowMs) / 1000,
                            item.lease().seconds() / TaskDoorSpecs.HEARTBEATS_PER_LEASE)
                    : new Lease(false, 0, null);
        }

        void write(JsonWriter out) {
            out.bool("lease_valid", valid).integer("lease_expires_in_seconds", expiresInSeconds);
            if (heartbeatSeconds != null) {
                out.integer("recommended_heartbeat_interval_seconds", heartbeatSeconds.longValue());
            }
        }
    }

    /// For a task in its present state.
    static AgentContract forTask(
            WorkItem item, @Nullable String outputId, long nowMs, boolean retryable) {
        return new AgentContract(
                retryable,
                actionsFor(item, outputId, nowMs),
                new Details(null, Lease.of(item, nowMs)));
    }

    /// For a task that this answer hands out.
    static AgentContract forClaimed(WorkItem item, @Nullable String outputId, long nowMs) {
        return new AgentContract(
                false, actionsFor(item, outputId, nowMs), new Details(true, Lease.of(item, nowMs)));
    }

    /// For the answer to a claim that is about no single task.
    private static AgentContract onClaim(
            boolean claimed, boolean retryable, NextAction... actions) {
        return new AgentContract(retryable, List.of(actions), new Details(claimed, null));
    }

    /// For the answer to a create. It is stored and given again later word for word, so it only
    /// says what stays true.
    static AgentContract forCreated(WorkItem item, long nowMs) {
        NextAction check = check(item);
        if (item.state().ended()) {
            // Its dependencies had failed already; that stays so.
            return AgentContract.of(false, check.best(), TaskActions.create());
        }
        if (waitsForOthers(item)) {
            return AgentContract.of(false, check.best());
        }
        boolean ahead = item.turn().runAtMs() != null && item.turn().runAtMs() > nowMs;
        return ahead
                ? AgentContract.of(false, check.best())
                : AgentContract.of(false, TaskActions.claimNext().best(), check);
    }

    /// For the answer to a create that found an existing task. It is stored like that to any other
    /// create.
    static AgentContract forExisting(WorkItem item) {
        return AgentContract.of(false, check(item).best());
    }

    /// Whether something else than time must come first.
    private static boolean waitsForOthers(WorkItem item) {
        WaitReason reason = item.waitReason();
        return reason != null && !reason.endsByTime();
    }

    static AgentContract forEmptyClaim() {
        return onClaim(
                false,
                true,
                NextAction.waitAndRepeat(TaskActions.IDLE_WAIT_SECONDS, "POST", "/v1/tasks/claim"),
                TaskActions.create());
    }

    /// Nothing comes of asking again soon: somebody has to resume the type first.
    static AgentContract forPausedClaim() {
        return onClaim(
                false,
                true,
                NextAction.waitAndRepeat(
                        TaskActions.PAUSED_WAIT_SECONDS, "POST", "/v1/tasks/claim"),
                TaskActions.create());
    }

    /// For the answer to several creates.
    ///
    /// @param failed the first that failed, when none was created
    static AgentContract forCreatedBatch(@Nullable TaskError failed) {
        return failed == null
                ? AgentContract.of(false, TaskActions.claimNext().best(), TaskActions.create())
                : TaskActions.forError(failed, "POST", "/v1/tasks/batch");
    }

    /// For the answer to what holders said of several tasks.
    static AgentContract forHeldBatch(boolean stillHeld) {
        return stillHeld
                ? AgentContract.of(
                        false,
                        batch(COMPLETE_TASK, "complete").best(),
                        batch(HEARTBEAT, "heartbeat"),
                        batch(FAIL_TASK, "fail"))
                : AgentContract.of(false, TaskActions.claimNext().best());
    }

    static AgentContract forBatchClaim() {
        return onClaim(
                true,
                false,
                batch(COMPLETE_TASK, "complete").best(),
                batch(HEARTBEAT, "heartbeat"),
                batch(FAIL_TASK, "fail"));
    }

    private static NextAction batch(TaskAction code, String verb) {
        return NextAction.call(code, "POST", "/v1/tasks/batch/" + verb, "items");
    }

    static AgentContract forEmptyBatchClaim(boolean paused) {
        return onClaim(
                false,
                true,
                NextAction.waitAndRepeat(
                        paused ? TaskActions.PAUSED_WAIT_SECONDS : TaskActions.IDLE_WAIT_SECONDS,
                        "POST",
                        "/v1/tasks/batch/claim"),
                TaskActions.create());
    }

    private static List<NextAction> actionsFor(
            WorkItem item, @Nullable String outputId, long nowMs) {
        String path = path(item);
        if (item.state() == WorkState.FAILED) {
            return List.of(TaskActions.claimNext().best(), check(item));
        }
        return switch (TaskStatus.of(item.state())) {
            case PENDING -> pending(item, nowMs);
            case CLAIMED -> {
                if (item.leaseLive(nowMs)) {
                    yield List.of(
                            NextAction.call(COMPLETE_TASK, "POST", path + "/complete").best(),
                            NextAction.call(HEARTBEAT, "POST", path + "/heartbeat"),
                            NextAction.call(FAIL_TASK, "POST", path + "/fail"));
                }
                // With attempts left, claiming applies the expiry first and then succeeds. Without,
                // the sweeper is about to: to look again at once would show the same.
                yield item.attempt() < item.attempts().most()
                        ? List.of(claimThis(item).best(), check(item))
                        : List.of(NextAction.waitAndRepeat(1, "GET", path), check(item));
            }
            case COMPLETED ->
                    outputId == null
                            ? List.of(TaskActions.create().best())
                            : List.of(
                                    NextAction.act(DOWNLOAD_ARTIFACT).best(), TaskActions.create());
            case DEAD_LETTER ->
                    List.of(
                            NextAction.call(REQUEUE_TASK, "POST", path + "/requeue").best(),
                            TaskActions.create());
            case CANCELLED -> List.of(TaskActions.create().best());
        };
    }

    /// Whether an engine alone may cancel, requeue or release it.
    private static boolean managed(WorkItem item) {
        return !item.profile().equals(TaskDoorSpecs.PROFILE.name());
    }

    private static List<NextAction> pending(WorkItem item, long nowMs) {
        if (item.waitReason() == WaitReason.HOLD && managed(item)) {
            return List.of(check(item).best(), claimThis(item).notNow());
        }
        if (item.waitReason() == WaitReason.HOLD) {
            return List.of(
                    check(item).best(),
                    NextAction.call(RELEASE_TASK, "POST", path(item) + "/release"),
                    claimThis(item).notNow());
        }
        Long runAt = item.turn().runAtMs();
        if (!waitsForOthers(item) && runAt != null && runAt > nowMs) {
            return List.of(
                    NextAction.waitAndRepeat(secondsUntil(runAt, nowMs), "GET", path(item)),
                    claimThis(item).notNow());
        }
        boolean waits = item.waitReason() != null && !item.due(nowMs);
        return waits
                ? List.of(check(item).best(), claimThis(item).notNow())
                : List.of(claimThis(item).best(), check(item));
    }

    /// For an error about a task that the caller can see.
    static AgentContract forTaskError(TaskError error, WorkItem item, long nowMs, String path) {
        List<NextAction> actions =
                switch (error) {
                    case TASK_CURRENTLY_CLAIMED ->
                            List.of(
                                    NextAction.waitAndRepeat(
                                            secondsUntil(item.lease().untilMs(), nowMs),
                                            "POST",
                                            path),
                                    check(item));
                    case NOT_YET_CLAIMABLE ->
                            item.turn().runAtMs() == null || waitsForOthers(item)
                                    ? List.of(check(item).best())
                                    : List.of(
                                            NextAction.waitAndRepeat(
                                                    secondsUntil(item.turn().runAtMs(), nowMs),
                                                    "POST",
                                                    path),
                                            check(item));
                    case TYPE_PAUSED ->
                            List.of(
                                    NextAction.waitAndRepeat(
                                            TaskActions.PAUSED_WAIT_SECONDS, "POST", path),
                                    check(item));
                    default -> List.of(check(item).best());
                };
        return new AgentContract(
                error.retryable(), actions, new Details(null, Lease.of(item, nowMs)));
    }

    static AgentContract forClaimOver() {
        return AgentContract.of(false, TaskActions.claimNext().best());
    }

    static AgentContract forClaimConflict() {
        return AgentContract.of(false, NextAction.act(FIX_REQUEST).best(), TaskActions.claimNext());
    }

    /// For a holder whose task was taken away for good: it has nothing left to do.
    static AgentContract forStopped(WorkItem item) {
        return AgentContract.of(false, TaskActions.claimNext().best(), check(item));
    }

    private static long secondsUntil(@Nullable Long atMs, long nowMs) {
        return atMs == null ? 1 : Math.max(1, (atMs - nowMs + 999) / 1000);
    }

    private static NextAction claimThis(WorkItem item) {
        return NextAction.call(CLAIM_TASK, "POST", path(item) + "/claim");
    }

    private static NextAction check(WorkItem item) {
        return NextAction.call(CHECK_TASK_STATUS, "GET", path(item));
    }

    private static String path(WorkItem item) {
        return "/v1/tasks/" + item.id();
    }
}
