package io.orchestrion.server.jobs;

import io.orchestrion.server.door.DoorError;

import org.jspecify.annotations.Nullable;

/// Every error of the jobs door: its code, its status, its title, what it means and what to do
/// about it. Answers, the pages that `type` leads to and the documents are all read from here.
/// Codes are never removed or renamed.
public enum JobsError implements DoorError {
    REQUEST_MALFORMED(
            400,
            false,
            "Malformed request",
            "The request is malformed, or a required field is missing or has the wrong type.",
            "Correct the request: detail and errors name each field and its rule."),
    REQUEST_UNSUPPORTED_MEDIA_TYPE(
            415,
            false,
            "Unsupported media type",
            "The body has a media type other than application/json.",
            "Send JSON with Content-Type: application/json."),
    REQUEST_METHOD_NOT_ALLOWED(
            405,
            false,
            "Method not allowed",
            "The path does not support this method.",
            "Use one of the methods that the Allow header names."),
    REQUEST_NOT_ACCEPTABLE(
            406,
            false,
            "Not acceptable",
            "The Accept header allows neither application/json nor application/problem+json.",
            "Accept application/json, or send no Accept header."),
    REQUEST_PAYLOAD_TOO_LARGE(
            413,
            false,
            "Body too large",
            "The body is longer than this path accepts.",
            "Send a shorter body; detail says how long it may be."),
    REQUEST_NOT_FOUND(
            404,
            false,
            "Nothing here",
            "The server has no such path.",
            "Check the path against /v1/schema."),
    JOB_VALIDATION_FAILED(
            400,
            false,
            "Not a valid job",
            "The request is well formed, but a value breaks a rule.",
            "Change the field that detail names."),
    AUTH_INVALID_CREDENTIALS(
            401,
            false,
            "No valid key",
            "No API key was sent, or one that is malformed or unknown.",
            "Send a key of the client as Authorization: Bearer."),
    AUTH_TOKEN_EXPIRED(
            401,
            false,
            "Key expired",
            "The API key has expired.",
            "Use another key; renew keys before they expire."),
    AUTH_FORBIDDEN(
            403,
            false,
            "Not allowed",
            "The key is valid, but does not allow this: the resource is another client's, or the"
                    + " key lacks a scope.",
            "Use a key of the client that it belongs to, with a scope that detail names."),
    AUTH_API_KEY_DISABLED(
            403,
            false,
            "Key revoked",
            "The API key was revoked.",
            "Use another key; a client without one asks the operator."),
    JOB_NOT_FOUND(
            404,
            false,
            "No such job",
            "There is no such job, or it has been deleted.",
            "Check the id; finished jobs are deleted after a while."),
    REPORT_NOT_FOUND(
            404,
            false,
            "No report",
            "The job has no report: it is not final, or the report is gone.",
            "Ask for the job's state; there is a report once it is final."),
    CLIENT_NOT_FOUND(404, false, "No such client", "There is no such client.", "Check the id."),
    KEY_NOT_FOUND(404, false, "No such key", "The client has no such key.", "Check the key_id."),
    WEBHOOK_NOT_FOUND(
            404, false, "No such webhook", "There is no such webhook.", "Check the webhook_id."),
    DELIVERY_NOT_FOUND(
            404,
            false,
            "No such delivery",
            "There is no such delivery, or it has been deleted.",
            "Check the delivery_id."),
    JOB_CONFLICT(
            409,
            false,
            "Job in the wrong state",
            "The job's state does not allow this, or another request changed the job at the same"
                    + " time.",
            "Ask for the job's state, then decide."),
    KEY_CONFLICT(
            409,
            false,
            "Keys changed meanwhile",
            "Another request changed the client's keys at the same time, or there is no key to"
                    + " renew.",
            "Use the key that the other request made."),
    WEBHOOK_CONFLICT(
            409,
            false,
            "Webhook in the way",
            "The client already has this webhook, has reached its limit of webhooks, or the webhook"
                    + " is in another state.",
            "Use the existing webhook, or delete it first."),
    EXEC_IDEMPOTENCY_CONFLICT(
            409,
            false,
            "Key used before",
            "The idempotency key was used for another request.",
            "Send the same request as the first time, or another key."),
    REQUEST_RATE_LIMITED(
            429,
            true,
            "Too many requests",
            "The client has reached its limit of requests. Retry-After says how long to wait.",
            "Wait as long as Retry-After says, and send fewer requests."),
    INTERNAL(
            500,
            true,
            "Server error",
            "The server failed unexpectedly.",
            "Try again later. Give the value of instance to the operator."),
    STORAGE_DB_ERROR(
            503,
            true,
            "Store failed",
            "The database failed.",
            "Try again later, with the same idempotency key."),
    STORAGE_UNAVAILABLE(
            503,
            true,
            "Store away",
            "The database cannot be reached. Nothing was done.",
            "Try again later."),
    REQUEST_OVERLOADED(
            503,
            true,
            "Overloaded",
            "The server is overloaded. Nothing was done.",
            "Wait as long as Retry-After says."),
    EXEC_QUEUE_FULL(
            503,
            true,
            "Queue full",
            "The queue is full. Nothing was done.",
            "Wait as long as Retry-After says, and send fewer requests."),
    EXEC_WORKER_UNAVAILABLE(
            503,
            true,
            "No runners",
            "No runner is connected, so no job could run.",
            "Try again later; the operator starts runners."),
    EXEC_IDEMPOTENCY_IN_FLIGHT(
            503,
            true,
            "First request under way",
            "The first request with this idempotency key is still under way.",
            "Send the same request again in a moment."),
    EXEC_TIMEOUT(
            504,
            true,
            "Took too long",
            "The request exceeded its time limit. Nothing was done. As the failure reason of a job:"
                    + " an attempt exceeded its time limit.",
            "Try again later. Split a long job into shorter ones."),
    DEPENDENCY_TIMEOUT(
            504,
            true,
            "Another server took too long",
            "A server that this depends on did not answer in time. As the failure reason of a"
                    + " delivery: the receiver did not answer in time.",
            "Try again later. A receiver should answer first and work afterwards."),
    CONFIG_INVALID(
            503,
            false,
            "Server misconfigured",
            "A setting of the jobs door is invalid, so the door refuses all requests.",
            "The operator must correct the setting that detail names and restart the server.");

    /// Where the page about a code is. The address is relative, so that the error is the same at
    /// every server and the link leads to the server that answered (decision 92).
    public static final String PAGES = "/problems/";

    private static final String PREFIX = "RFA_";

    private final int status;
    private final boolean retryable;
    private final String title;
    private final String meaning;
    private final String remedy;

    JobsError(int status, boolean retryable, String title, String meaning, String remedy) {
        this.status = status;
        this.retryable = retryable;
        this.title = title;
        this.meaning = meaning;
        this.remedy = remedy;
    }

    @Override
    public String code() {
        return PREFIX + name();
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

    /// What the caller can do.
    public String remedy() {
        return remedy;
    }

    @Override
    public String type() {
        return PAGES + code();
    }

    /// The contract wants the request id itself.
    @Override
    public String instance(String requestId) {
        return requestId;
    }

    /// Null when there is none of that code.
    public static @Nullable JobsError coded(String code) {
        for (JobsError error : values()) {
            if (error.code().equals(code)) {
                return error;
            }
        }
        return null;
    }
}
