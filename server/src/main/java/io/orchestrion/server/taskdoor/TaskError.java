package io.orchestrion.server.taskdoor;

import io.orchestrion.server.door.DoorError;

import java.util.List;
import java.util.Locale;

/// Every error of the tasks door: its code, its status, and whether the same request may succeed
/// later. Codes are never removed or renamed within `/v1`.
public enum TaskError implements DoorError {
    MISSING_API_KEY(401, true, "No API key was sent."),
    INVALID_API_KEY(401, false, "The API key is malformed, unknown, expired or revoked."),
    INVALID_REQUEST(
            400, false, "The request does not match the contract. The message names the field."),
    TASK_NOT_FOUND(404, false, "The account has no such task."),
    INVALID_TRANSITION(409, false, "The task's status does not allow this."),
    LEASE_EXPIRED(409, false, "The lease ran out, or another one has replaced it."),
    TASK_CURRENTLY_CLAIMED(409, true, "A worker holds the task with a live lease."),
    NOT_YET_CLAIMABLE(409, true, "The task is scheduled for later, or waits for its next attempt."),
    IDEMPOTENCY_CONFLICT(409, false, "The idempotency key was used for another request."),
    IDEMPOTENCY_IN_FLIGHT(
            503, true, "The first request with this idempotency key is still under way."),
    QUOTA_EXCEEDED(402, false, "The plan's quota is used up."),
    PLAN_EXPIRED(402, false, "The plan has expired, and the free plan does not allow this."),
    MAX_WORKERS_REACHED(429, true, "The plan allows no more live leases at once."),
    PAYMENT_FAILED(402, false, "The payment failed."),
    RATE_LIMITED(429, true, "There were too many requests. agent_contract says how long to wait."),
    SERVER_ERROR(
            500,
            true,
            "The server failed, and no fault in the request is known. With status 503 the database"
                + " could not be reached, or the connection to it was lost during the request; the"
                + " message says which.") {
        @Override
        public List<Integer> statuses() {
            return List.of(500, 503);
        }
    },
    // Beyond the published list, which allows additions.
    NOT_FOUND(404, false, "The server has no such path."),
    METHOD_NOT_ALLOWED(405, false, "The path does not support this method."),
    MANAGED_TASK(
            409,
            false,
            "The task belongs to an orchestration or a run. Only its engine may do this."),
    RESULT_REJECTED(
            422,
            false,
            "The engine that owns the task does not accept the result. The task has failed, and the"
                    + " engine decides what follows."),
    LEASE_REVOKED(409, false, "The engine that owns the task cancelled it while a worker held it."),
    OVERLOADED(503, true, "The server is overloaded. Nothing was done."),
    INSUFFICIENT_SCOPE(403, false, "The scopes of the API key do not allow this."),
    KEY_NOT_FOUND(404, false, "The account has no such key."),
    LAST_KEY(
            409,
            false,
            "This is the last key that can manage the account's keys, so it cannot be revoked."),
    PAYMENT_PENDING(409, true, "The payment has not ended yet. Ask again later."),
    SCHEDULE_NOT_FOUND(404, false, "The account has no such schedule."),
    SCHEDULE_EXISTS(409, false, "The account has another schedule of this name."),
    OPERATION_NOT_FOUND(404, false, "The account has no such operation."),
    TOO_MANY_OPERATIONS(429, true, "The account has reached its limit of bulk operations at once."),
    UNIQUE_CONFLICT(409, false, "Another task has the same unique key."),
    CONCURRENCY_LIMITED(
            429, true, "The concurrency limit of the type is reached for this concurrency key."),
    START_RATE_LIMITED(429, true, "The rate limit of the type is reached for this rate key."),
    TYPE_NOT_FOUND(404, false, "The account has registered no such type."),
    TYPE_DRAINING(409, false, "The type takes no new tasks until it is resumed."),
    TYPE_PAUSED(409, true, "Nothing of the type is claimed until it is resumed."),
    INSUFFICIENT_STORAGE(
            507,
            true,
            "The disk of the database is full. Only workers that hold a task can go on.");

    private final int status;
    private final boolean retryable;
    private final String meaning;

    TaskError(int status, boolean retryable, String meaning) {
        this.status = status;
        this.retryable = retryable;
        this.meaning = meaning;
    }

    @Override
    public String code() {
        return name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }

    @Override
    public String meaning() {
        return meaning;
    }
}
