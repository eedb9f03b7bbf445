package io.orchestrion.server.orchestrations;

import io.orchestrion.server.door.DoorError;

import java.util.List;
import java.util.Locale;

/// Every error of the orchestrations door: its code, its status, and whether the same request may
/// succeed later. Codes are never removed or renamed within `/v1`.
public enum OrchestrationError implements DoorError {
    MISSING_API_KEY(401, true, "No API key was sent."),
    INVALID_API_KEY(401, false, "The API key is malformed, unknown, expired or revoked."),
    FORBIDDEN(403, false, "The scopes of the API key do not allow this."),
    INVALID_REQUEST(
            400,
            false,
            "The request does not match the contract. The message names the first fault, and"
                    + " details lists every fault found."),
    NOT_FOUND(404, false, "The server has no such path."),
    METHOD_NOT_ALLOWED(405, false, "The path does not support this method."),
    DEFINITION_NOT_FOUND(404, false, "The account has no such definition, or no such version."),
    EXECUTION_NOT_FOUND(404, false, "The account has no such execution."),
    STEP_NOT_FOUND(404, false, "The definition of the execution has no such step."),
    APPROVAL_NOT_FOUND(404, false, "The account has no such approval."),
    DLQ_ITEM_NOT_FOUND(404, false, "The account has no such dead letter."),
    REVIEW_ENTRY_NOT_FOUND(404, false, "The account has no review entry with this id."),
    INVALID_TRANSITION(409, false, "The status of the resource does not allow this."),
    DEFINITION_IMMUTABLE(409, false, "The version is published, so its content cannot be changed."),
    DRAFT_EXISTS(409, false, "The definition already has a draft. Change that draft."),
    DEFINITION_NOT_PUBLISHED(
            409, false, "The version is a draft, or no version of the definition is published."),
    DEFINITION_DEPRECATED(409, false, "The version is deprecated: no new execution follows it."),
    IDEMPOTENCY_CONFLICT(409, false, "The idempotency key was used for another request."),
    IDEMPOTENCY_IN_FLIGHT(
            503, true, "The first request with this idempotency key is still under way."),
    CONCURRENCY_LIMIT(409, true, "The definition has reached its limit of executions at once."),
    UNSAFE_RETRY(
            409, false, "The step is not safe to repeat, and confirm_unsafe was not sent as true."),
    STEP_NOT_FAILED(409, false, "The step has no failed attempt that could be repeated."),
    ALREADY_DECIDED(409, false, "Another decision was made before, or the execution has ended."),
    APPROVAL_EXPIRED(409, false, "The approval expired before the decision."),
    NOTHING_TO_COMPENSATE(
            409, false, "The step has no compensation handler, or nothing is to be compensated."),
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
    OVERLOADED(503, true, "The server is overloaded. Nothing was done."),
    INSUFFICIENT_STORAGE(
            507,
            true,
            "The disk of the database is full. Only workers that hold a task can go on.");

    private final int status;
    private final boolean retryable;
    private final String meaning;

    OrchestrationError(int status, boolean retryable, String meaning) {
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
