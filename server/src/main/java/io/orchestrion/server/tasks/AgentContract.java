package io.orchestrion.server.tasks;

import static io.orchestrion.server.tasks.NextAction.Code.AUTHENTICATE;
import static io.orchestrion.server.tasks.NextAction.Code.CHECK_BILLING_STATUS;
import static io.orchestrion.server.tasks.NextAction.Code.CHECK_OPERATION;
import static io.orchestrion.server.tasks.NextAction.Code.CHECK_TASK_STATUS;
import static io.orchestrion.server.tasks.NextAction.Code.CLAIM_TASK;
import static io.orchestrion.server.tasks.NextAction.Code.COMPLETE_TASK;
import static io.orchestrion.server.tasks.NextAction.Code.CREATE_TASK;
import static io.orchestrion.server.tasks.NextAction.Code.DOWNLOAD_ARTIFACT;
import static io.orchestrion.server.tasks.NextAction.Code.FAIL_TASK;
import static io.orchestrion.server.tasks.NextAction.Code.FIX_REQUEST;
import static io.orchestrion.server.tasks.NextAction.Code.HEARTBEAT;
import static io.orchestrion.server.tasks.NextAction.Code.LIST_TASKS;
import static io.orchestrion.server.tasks.NextAction.Code.RELEASE_TASK;
import static io.orchestrion.server.tasks.NextAction.Code.RENEW_PLAN;
import static io.orchestrion.server.tasks.NextAction.Code.REQUEUE_TASK;
import static io.orchestrion.server.tasks.NextAction.Code.RETRY_CHECKOUT;
import static io.orchestrion.server.tasks.NextAction.Code.UPGRADE_PLAN;
import static io.orchestrion.server.tasks.NextAction.Code.VERIFY_PAYMENT;

import io.orchestrion.kernel.json.JsonWriter;
import io.orchestrion.kernel.work.WaitReason;
import io.orchestrion.kernel.work.WorkItem;
import io.orchestrion.kernel.work.WorkState;
import io.orchestrion.server.door.StoreTrouble;

import org.jspecify.annotations.Nullable;

import java.util.List;

/// The guidance on every answer: what an agent can do next, computed from what is really so.
///
/// @param retryable whether the same request may be sent again
/// @param taskClaimable on claims only: whether one was handed out
/// @param lease where the answer is about a claimed task
public record AgentContract(
        boolean retryable,
        List<NextAction> actions,
        @Nullable Boolean taskClaimable,
        @Nullable Lease lease) {

    public static final String VERSION = "1";

    /// After how long to ask again when there was nothing to claim.
    static final int IDLE_WAIT_SECONDS = 5;

    /// After how long to ask again when the type is paused.
    static final int PAUSED_WAIT_SECONDS = 30;

    /// After how long to ask again for a payment that is under way.
    static final int PAYMENT_WAIT_SECONDS = 5;

    /// After how long to ask again how an operation stands.
    static final int OPERATION_WAIT_SECONDS = 2;

    /// @param heartbeatSeconds null once it has run out
    public record Lease(boolean valid, long expiresInSeconds, @Nullable Integer heartbeatSeconds) {
        static @Nullable Lease of(WorkItem item, long nowMs) {
            Long until = item.leaseUntilMs();
            if (until == null) {
                return null;
            }
            return item.leaseLive(nowMs)
                    ? new Lease(
                            true,
                            (until - nowMs) / 1000,
                            item.leaseSeconds() / TaskSpecs.HEARTBEATS_PER_LEASE)
                    : new Lease(false, 0, null);
        }
    }

    public static AgentContract of(boolean retryable, NextAction... actions) {
        return new AgentContract(retryable, List.of(actions), null, null);
    }

    /// For a task as it stands.
    static AgentContract forTask(
            WorkItem item, @Nullable String outputId, long nowMs, boolean retryable) {
        return new AgentContract(
                retryable, actionsFor(item, outputId, nowMs), null, Lease.of(item, nowMs));
    }

    AgentContract onClaim(boolean claimed) {
        return new AgentContract(retryable, actions, claimed, lease);
    }

    /// For the answer to a create, which is stored and given again later word for word: only what
    /// stays true belongs in it.
    static AgentContract forCreated(WorkItem item, long nowMs) {
        NextAction check = check(item);
        if (item.state().ended()) {
            // Its dependencies had failed already; that stays so.
            return of(false, check.best(), create());
        }
        if (waitsForOthers(item)) {
            return of(false, check.best());
        }
        boolean ahead = item.runAtMs() != null && item.runAtMs() > nowMs;
        return ahead ? of(false, check.best()) : of(false, claimNext().best(), check);
    }

    /// For the answer to a create that found its task there, stored like that to any other.
    static AgentContract forExisting(WorkItem item) {
        return of(false, check(item).best());
    }

    /// Whether something else than time must come first.
    private static boolean waitsForOthers(WorkItem item) {
        WaitReason reason = item.waitReason();
        return reason != null && !reason.endsByTime();
    }

    static AgentContract forEmptyClaim() {
        return of(
                        true,
                        NextAction.waitAndRepeat(IDLE_WAIT_SECONDS, "POST", "/v1/tasks/claim"),
                        create())
                .onClaim(false);
    }

    /// Nothing comes of asking again soon: somebody has to resume the type first.
    static AgentContract forPausedClaim() {
        return of(
                        true,
                        NextAction.waitAndRepeat(PAUSED_WAIT_SECONDS, "POST", "/v1/tasks/claim"),
                        create())
                .onClaim(false);
    }

    /// For the answer to several creates.
    ///
    /// @param failed the first that failed, when none was created
    static AgentContract forCreatedBatch(@Nullable TaskError failed) {
        return failed == null
                ? of(false, claimNext().best(), create())
                : forError(failed, "POST", "/v1/tasks/batch");
    }

    /// For the answer to what holders said of several tasks.
    static AgentContract forHeldBatch(boolean stillHeld) {
        return stillHeld
                ? of(
                        false,
                        batch(COMPLETE_TASK, "complete").best(),
                        batch(HEARTBEAT, "heartbeat"),
                        batch(FAIL_TASK, "fail"))
                : of(false, claimNext().best());
    }

    static AgentContract forBatchClaim() {
        return of(
                        false,
                        batch(COMPLETE_TASK, "complete").best(),
                        batch(HEARTBEAT, "heartbeat"),
                        batch(FAIL_TASK, "fail"))
                .onClaim(true);
    }

    private static NextAction batch(NextAction.Code code, String verb) {
        return NextAction.call(code, "POST", "/v1/tasks/batch/" + verb, "items");
    }

    static AgentContract forEmptyBatchClaim(boolean paused) {
        return of(
                        true,
                        NextAction.waitAndRepeat(
                                paused ? PAUSED_WAIT_SECONDS : IDLE_WAIT_SECONDS,
                                "POST",
                                "/v1/tasks/batch/claim"),
                        create())
                .onClaim(false);
    }

    private static List<NextAction> actionsFor(
            WorkItem item, @Nullable String outputId, long nowMs) {
        String path = path(item);
        if (item.state() == WorkState.FAILED) {
            return List.of(claimNext().best(), check(item));
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
                yield item.attempt() < item.maxAttempts()
                        ? List.of(claimThis(item).best(), check(item))
                        : List.of(NextAction.waitAndRepeat(1, "GET", path), check(item));
            }
            case COMPLETED ->
                    outputId == null
                            ? List.of(create().best())
                            : List.of(NextAction.act(DOWNLOAD_ARTIFACT).best(), create());
            case DEAD_LETTER ->
                    List.of(
                            NextAction.call(REQUEUE_TASK, "POST", path + "/requeue").best(),
                            create());
            case CANCELLED -> List.of(create().best());
        };
    }

    /// Whether an engine alone may cancel, requeue or release it.
    private static boolean managed(WorkItem item) {
        return !item.profile().equals(TaskSpecs.PROFILE.name());
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
        Long runAt = item.runAtMs();
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

    /// For an error that is about no task.
    public static AgentContract forError(TaskError error, String method, String path) {
        NextAction[] actions =
                switch (error) {
                    case MISSING_API_KEY, INVALID_API_KEY ->
                            list(NextAction.call(AUTHENTICATE, "POST", "/v1/keys/register").best());
                    case TASK_NOT_FOUND ->
                            list(NextAction.call(LIST_TASKS, "GET", "/v1/tasks").best());
                    case IDEMPOTENCY_CONFLICT -> list(create().best(), NextAction.act(FIX_REQUEST));
                    case IDEMPOTENCY_IN_FLIGHT ->
                            list(
                                    NextAction.waitAndRepeat(
                                                    TaskSpecs.IN_FLIGHT_WAIT_SECONDS, method, path)
                                            .exactly());
                    case INSUFFICIENT_STORAGE ->
                            list(
                                    NextAction.waitAndRepeat(
                                            StoreTrouble.NO_ROOM.waitSeconds(), method, path));
                    case SERVER_ERROR,
                            OVERLOADED,
                            RATE_LIMITED,
                            MAX_WORKERS_REACHED,
                            CONCURRENCY_LIMITED,
                            START_RATE_LIMITED ->
                            list(NextAction.waitAndRepeat(1, method, path));
                    case QUOTA_EXCEEDED -> list(checkout(UPGRADE_PLAN).best(), billingStatus());
                    case PLAN_EXPIRED -> list(checkout(RENEW_PLAN).best(), billingStatus());
                    case PAYMENT_FAILED -> list(checkout(RETRY_CHECKOUT).best(), billingStatus());
                    case PAYMENT_PENDING ->
                            list(
                                    NextAction.waitAndRepeat(PAYMENT_WAIT_SECONDS, method, path),
                                    verifyPayment().after(PAYMENT_WAIT_SECONDS),
                                    billingStatus());
                    // Another key it must be, and this one cannot make it.
                    case INSUFFICIENT_SCOPE ->
                            list(NextAction.act(FIX_REQUEST).best(), createKey().notNow());
                    case LEASE_REVOKED -> list(claimNext().best());
                    case LAST_KEY -> list(createKey().best());
                    case OPERATION_NOT_FOUND -> list(listOperations().best());
                    case TOO_MANY_OPERATIONS ->
                            list(
                                    NextAction.waitAndRepeat(OPERATION_WAIT_SECONDS, method, path),
                                    listOperations());
                    case UNIQUE_CONFLICT -> list(NextAction.act(FIX_REQUEST).best());
                    case TYPE_PAUSED ->
                            list(NextAction.waitAndRepeat(PAUSED_WAIT_SECONDS, method, path));
                    case INVALID_REQUEST,
                            NOT_FOUND,
                            METHOD_NOT_ALLOWED,
                            INVALID_TRANSITION,
                            LEASE_EXPIRED,
                            TASK_CURRENTLY_CLAIMED,
                            NOT_YET_CLAIMABLE,
                            MANAGED_TASK,
                            RESULT_REJECTED,
                            KEY_NOT_FOUND,
                            SCHEDULE_NOT_FOUND,
                            SCHEDULE_EXISTS,
                            TYPE_NOT_FOUND,
                            TYPE_DRAINING ->
                            list(NextAction.act(FIX_REQUEST).best());
                };
        return of(error.retryable(), actions);
    }

    private static NextAction[] list(NextAction... actions) {
        return actions;
    }

    /// For an error about a task that the caller can see.
    static AgentContract forTaskError(TaskError error, WorkItem item, long nowMs, String path) {
        List<NextAction> actions =
                switch (error) {
                    case TASK_CURRENTLY_CLAIMED ->
                            List.of(
                                    NextAction.waitAndRepeat(
                                            secondsUntil(item.leaseUntilMs(), nowMs), "POST", path),
                                    check(item));
                    case NOT_YET_CLAIMABLE ->
                            item.runAtMs() == null || waitsForOthers(item)
                                    ? List.of(check(item).best())
                                    : List.of(
                                            NextAction.waitAndRepeat(
                                                    secondsUntil(item.runAtMs(), nowMs),
                                                    "POST",
                                                    path),
                                            check(item));
                    case TYPE_PAUSED ->
                            List.of(
                                    NextAction.waitAndRepeat(PAUSED_WAIT_SECONDS, "POST", path),
                                    check(item));
                    default -> List.of(check(item).best());
                };
        return new AgentContract(error.retryable(), actions, null, Lease.of(item, nowMs));
    }

    static AgentContract forClaimOver() {
        return of(false, claimNext().best());
    }

    static AgentContract forClaimConflict() {
        return of(false, NextAction.act(FIX_REQUEST).best(), claimNext());
    }

    /// For a holder whose task was taken away for good: nothing is left to do with it.
    static AgentContract forStopped(WorkItem item) {
        return of(false, claimNext().best(), check(item));
    }

    private static long secondsUntil(@Nullable Long atMs, long nowMs) {
        return atMs == null ? 1 : Math.max(1, (atMs - nowMs + 999) / 1000);
    }

    public static NextAction create() {
        return NextAction.call(CREATE_TASK, "POST", "/v1/tasks", "type", "payload");
    }

    private static NextAction listOperations() {
        return NextAction.call(CHECK_OPERATION, "GET", "/v1/operations");
    }

    private static NextAction createKey() {
        return NextAction.call(AUTHENTICATE, "POST", "/v1/keys", "name");
    }

    static NextAction checkout(NextAction.Code code) {
        return NextAction.call(code, "POST", "/v1/billing/checkout", "planId");
    }

    static NextAction verifyPayment() {
        return NextAction.call(VERIFY_PAYMENT, "POST", "/v1/billing/verify", "purchaseId");
    }

    static NextAction billingStatus() {
        return NextAction.call(CHECK_BILLING_STATUS, "GET", "/v1/billing/status");
    }

    static NextAction claimNext() {
        return NextAction.call(CLAIM_TASK, "POST", "/v1/tasks/claim", "type");
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

    public void write(JsonWriter out) {
        out.text("version", VERSION)
                .bool("retryable", retryable)
                .objects(
                        "next_actions",
                        CallerScopes.seen(actions),
                        (each, action) -> action.write(each));
        if (taskClaimable != null) {
            out.bool("task_claimable", taskClaimable);
        }
        if (lease != null) {
            out.bool("lease_valid", lease.valid())
                    .integer("lease_expires_in_seconds", lease.expiresInSeconds());
            Integer heartbeat = lease.heartbeatSeconds();
            if (heartbeat != null) {
                out.integer("recommended_heartbeat_interval_seconds", heartbeat.longValue());
            }
        }
    }
}
