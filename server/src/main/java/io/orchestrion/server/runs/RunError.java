package io.orchestrion.server.runs;

import io.orchestrion.server.door.DoorError;

import java.util.List;
import java.util.Locale;

/// Every error of the runs door: its code, its status, and whether the same request may succeed
/// later. Codes are never removed or renamed within `/api/v1`.
public enum RunError implements DoorError {
    MISSING_API_KEY(401, true, "No API key was sent."),
    INVALID_API_KEY(401, false, "The API key is malformed, unknown, expired or revoked."),
    FORBIDDEN(
            403,
            false,
            "The scopes of the API key do not allow this, or it is for whoever runs the server."),
    INVALID_REQUEST(
            400,
            false,
            "The request is not as the contract says; the message names the first fault, and"
                    + " details names all that were found."),
    INSUFFICIENT_CREDITS(
            402,
            true,
            "The available credits do not pay for this; needed and available say how far they are"
                    + " from it."),
    NOT_FOUND(404, false, "No such path."),
    METHOD_NOT_ALLOWED(405, false, "The path does not answer to this method."),
    RUN_NOT_FOUND(404, false, "The account has no such run."),
    AGENT_NOT_FOUND(404, false, "The run has no such agent."),
    TASK_NOT_FOUND(404, false, "The run has no such task."),
    STEP_NOT_FOUND(404, false, "The run has no such step."),
    ESCALATION_NOT_FOUND(404, false, "The account has no such escalation."),
    APPROVAL_NOT_FOUND(404, false, "The account has no such approval."),
    ARTIFACT_NOT_FOUND(404, false, "The account has no such artifact."),
    ORG_NOT_FOUND(404, false, "There is no such account."),
    LEDGER_ENTRY_NOT_FOUND(404, false, "There is no such entry in the ledger."),
    INVALID_TRANSITION(
            409,
            false,
            "The status of what this is about does not allow it. Of a run that is resuming or"
                    + " retrying it will soon be another, and the contract says when to ask"
                    + " again."),
    MAX_ATTEMPTS_EXCEEDED(409, false, "The run has had all the attempts that it may have."),
    IDEMPOTENCY_CONFLICT(409, false, "The idempotency key was used for another request."),
    IDEMPOTENCY_IN_FLIGHT(
            503, true, "The first request with this idempotency key is still under way."),
    INVALID_PLAN(422, false, "The plan is not one that can be followed; details says why."),
    ALREADY_RESOLVED(409, false, "The escalation has been resolved already."),
    ALREADY_DECIDED(409, false, "Somebody has decided otherwise, or the run has ended."),
    APPROVAL_EXPIRED(409, false, "The time for this decision is over."),
    LEASE_LOST(409, false, "The step is not held any more by the lease that was sent."),
    OUTPUT_LIMIT(413, false, "The step has written as much output as it may."),
    ARTIFACT_EXISTS(409, false, "The run has an artifact of that name already."),
    ARTIFACT_EXPIRED(410, false, "The artifact has expired, and its bytes are gone."),
    ARTIFACTS_TOO_LARGE(
            413, false, "With this artifact the run would have more bytes than it may."),
    TOO_MANY_ARTIFACTS(409, false, "The run has as many artifacts as it may."),
    TOO_MANY_UPLOADS(
            429, true, "As many uploads of the run or of the account are under way as may be."),
    TOO_MANY_DOWNLOADS(429, true, "As many downloads of the account are under way as may be."),
    CHECKSUM_MISMATCH(
            422, true, "What arrived has another SHA-256 than was said; nothing of it is kept."),
    RANGE_NOT_SATISFIABLE(416, false, "The artifact has no such part; it is shorter."),
    INVALID_SIGNATURE(403, false, "The address is not one that this server has signed."),
    ADDRESS_EXPIRED(410, false, "The time for which this address was good is over."),
    NOT_REVERSIBLE(409, false, "Only a charge can be reversed."),
    RATE_LIMITED(429, true, "Too many requests; the wait is in the contract."),
    SERVER_ERROR(
            500,
            true,
            "The server could not do it; nothing is known to be wrong with the request. Under 503"
                    + " its store cannot be reached, or went away on the way; the message says"
                    + " which.") {
        @Override
        public List<Integer> statuses() {
            return List.of(500, 503);
        }
    },
    OVERLOADED(503, true, "Too much is under way; nothing was done."),
    INSUFFICIENT_STORAGE(507, true, "The store's disk is full. Only holders of work can go on.");

    private final int status;
    private final boolean retryable;
    private final String meaning;

    RunError(int status, boolean retryable, String meaning) {
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
