package io.orchestrion.server.queue;

import io.orchestrion.server.door.DoorError;

import java.util.Locale;

/// Every error of the queue door: its code, its status, its title, and whether the same request may
/// succeed later. Codes are never removed or renamed.
public enum QueueError implements DoorError {
    INVALID_REQUEST(400, false, "Bad request", "The request does not match the contract."),
    AMBIGUOUS_CREDENTIALS(
            400,
            false,
            "Two credentials",
            "A worker token and an Authorization header were sent. Send only one."),
    NO_CREDENTIAL(401, false, "No credential", "No credential was sent."),
    INVALID_CREDENTIAL(
            401,
            false,
            "Credential refused",
            "The worker token, JWT or API key is malformed, unknown, expired, revoked or not"
                    + " active."),
    INSUFFICIENT_SCOPE(
            403, false, "Not for this", "The credential is valid, but does not allow this."),
    WRONG_WORKER(
            403,
            false,
            "Another worker's name",
            "The workerId is not the one that the credential is bound to."),
    JOB_NOT_FOUND(404, false, "No such job", "The account has no such job."),
    TOKEN_NOT_FOUND(404, false, "No such token", "The account has no such worker token."),
    NOT_FOUND(404, false, "Nothing here", "The server has no such path."),
    METHOD_NOT_ALLOWED(405, false, "Method not allowed", "The path does not support this method."),
    NOT_THE_HOLDER(409, false, "Not the holder", "Another worker or another lease holds the job."),
    LEASE_EXPIRED(409, false, "Lease expired", "The lease on the job ran out."),
    WRONG_STATUS(409, false, "Wrong status", "The job's status does not allow this."),
    IDEMPOTENCY_CONFLICT(
            409, false, "Key used before", "The idempotency key was used for another request."),
    TOKEN_NOT_WORKING(
            409, false, "Token not working", "The worker token has expired or is not active."),
    TOO_MANY_TOKENS(
            409,
            false,
            "Too many tokens",
            "The account has reached its limit of active worker tokens."),
    TOO_MANY_SECRETS(
            409, false, "Too many secrets", "The token has reached its limit of active secrets."),
    EVENT_LOG_FULL(409, false, "Event log full", "The event log of the job is full."),
    BODY_TOO_LARGE(413, false, "Body too large", "The body is longer than this path accepts."),
    UNSUPPORTED_MEDIA_TYPE(
            415, false, "Not JSON", "The body has a media type other than application/json."),
    RATE_LIMITED(
            429,
            true,
            "Too many requests",
            "There were too many requests. Retry-After says how long to wait."),
    TOO_MANY_EVENTS(
            429,
            true,
            "Too many events",
            "The events of one job arrive faster than the limit allows."),
    SERVER_ERROR(500, true, "Server error", "The server failed."),
    OUTCOME_UNKNOWN(
            503,
            true,
            "Outcome unknown",
            "The connection to the database was lost during the write. The change may or may not"
                    + " have been made."),
    IDEMPOTENCY_IN_FLIGHT(
            503,
            true,
            "First request under way",
            "The first request with this idempotency key is still under way."),
    ISSUER_UNAVAILABLE(
            503,
            true,
            "Issuer away",
            "The keys of the JWT's issuer cannot be fetched, so the JWT is not checked."),
    OVERLOADED(503, true, "Overloaded", "The server is overloaded. Nothing was done."),
    UNAVAILABLE(503, true, "Store away", "The database cannot be used. Nothing was done."),
    INSUFFICIENT_STORAGE(
            507,
            true,
            "Store full",
            "The disk of the database is full. Only workers that hold a job can go on.");

    private static final String PREFIX = "queue_";

    private final int status;
    private final boolean retryable;
    private final String title;
    private final String meaning;

    QueueError(int status, boolean retryable, String title, String meaning) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
        this.meaning = meaning;
    }

    @Override
    public String code() {
        return PREFIX + name().toLowerCase(Locale.ROOT);
    }

    @Override
    public int status() {
        return status;
    }

    @Override
    public boolean retryable() {
        return retryable;
    }

    /// The same for every occurrence, in few words.
    public String title() {
        return title;
    }

    @Override
    public String meaning() {
        return meaning;
    }
}
