package io.orchestrion.server.taskdoor;

import static io.orchestrion.server.taskdoor.TaskAction.AUTHENTICATE;
import static io.orchestrion.server.taskdoor.TaskAction.CHECK_BILLING_STATUS;
import static io.orchestrion.server.taskdoor.TaskAction.CHECK_OPERATION;
import static io.orchestrion.server.taskdoor.TaskAction.CLAIM_TASK;
import static io.orchestrion.server.taskdoor.TaskAction.CREATE_TASK;
import static io.orchestrion.server.taskdoor.TaskAction.FIX_REQUEST;
import static io.orchestrion.server.taskdoor.TaskAction.LIST_TASKS;
import static io.orchestrion.server.taskdoor.TaskAction.RENEW_PLAN;
import static io.orchestrion.server.taskdoor.TaskAction.RETRY_CHECKOUT;
import static io.orchestrion.server.taskdoor.TaskAction.UPGRADE_PLAN;
import static io.orchestrion.server.taskdoor.TaskAction.VERIFY_PAYMENT;

import io.orchestrion.server.contract.AgentContract;
import io.orchestrion.server.contract.NextAction;
import io.orchestrion.server.door.StoreTrouble;

/// What a caller of the tasks door can do next: the calls that several answers offer, and what
/// follows from an error that is about no task.
public final class TaskActions {
    private TaskActions() {}

    /// After how long to ask again when there was nothing to claim.
    public static final int IDLE_WAIT_SECONDS = 5;

    /// After how long to ask again when the type is paused.
    public static final int PAUSED_WAIT_SECONDS = 30;

    /// After how long to ask again for a payment that is under way.
    public static final int PAYMENT_WAIT_SECONDS = 5;

    /// After how long to ask again how an operation stands.
    public static final int OPERATION_WAIT_SECONDS = 2;

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
                                                    TaskDoorSpecs.IN_FLIGHT_WAIT_SECONDS,
                                                    method,
                                                    path)
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
                    // Another key is needed, and this one is not allowed to create it.
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
        return AgentContract.of(error.retryable(), actions);
    }

    private static NextAction[] list(NextAction... actions) {
        return actions;
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

    public static NextAction checkout(TaskAction code) {
        return NextAction.call(code, "POST", "/v1/billing/checkout", "planId");
    }

    public static NextAction verifyPayment() {
        return NextAction.call(VERIFY_PAYMENT, "POST", "/v1/billing/verify", "purchaseId");
    }

    public static NextAction billingStatus() {
        return NextAction.call(CHECK_BILLING_STATUS, "GET", "/v1/billing/status");
    }

    public static NextAction claimNext() {
        return NextAction.call(CLAIM_TASK, "POST", "/v1/tasks/claim", "type");
    }
}
