package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Instant;
import java.util.UUID;

/// A job to submit to `/v1/jobs`; each method returns a changed copy.
///
/// ```java
/// client.jobs().submit(JobSubmission.execute().withWorkKind("SUCCESS_FAST"));
/// client.jobs().submit(JobSubmission.deferred(tomorrow).withCallback(uri));
/// ```
///
/// Sent twice with the same key it is one job; so hold on to a `JobSubmission` to send it again.
///
/// @param workKind a name of the catalogue ([Jobs#catalogue]); null to let the server choose
/// @param payload JSON text for the handler, or null
/// @param callback gets a POST for each change of the job's state, or null
/// @param autoRetry whether a failure is retried without being asked for, within the same limit
/// @param handler the name of a real handler instead of simulated work, or null
/// @param idempotencyKey null makes each sending a job of its own, which is then sent only once
public record JobSubmission(
        JobType type,
        @Nullable Instant executionAt,
        @Nullable String workKind,
        @Nullable String payload,
        @Nullable URI callback,
        boolean autoRetry,
        @Nullable String handler,
        @Nullable String idempotencyKey) {
    public JobSubmission {
        if (idempotencyKey != null) {
            NewTask.checkKey(idempotencyKey);
        }
    }

    private static JobSubmission of(JobType type, @Nullable Instant at) {
        String key = UUID.randomUUID().toString();
        return new JobSubmission(type, at, null, null, null, false, null, key);
    }

    /// To run as soon as possible.
    public static JobSubmission execute() {
        return of(JobType.EXECUTE, null);
    }

    /// To run then, and not before.
    public static JobSubmission deferred(Instant at) {
        return of(JobType.DEFERRED, at);
    }

    /// To run as soon as possible and end with `job.emitted`.
    public static JobSubmission emitEvent() {
        return of(JobType.EMIT_EVENT, null);
    }

    public JobSubmission withWorkKind(String name) {
        return new JobSubmission(
                type, executionAt, name, payload, callback, autoRetry, handler, idempotencyKey);
    }

    /// Any JSON value.
    public JobSubmission withPayload(String json) {
        return new JobSubmission(
                type, executionAt, workKind, json, callback, autoRetry, handler, idempotencyKey);
    }

    public JobSubmission withCallback(URI receiver) {
        return new JobSubmission(
                type, executionAt, workKind, payload, receiver, autoRetry, handler, idempotencyKey);
    }

    public JobSubmission withAutoRetry() {
        return new JobSubmission(
                type, executionAt, workKind, payload, callback, true, handler, idempotencyKey);
    }

    public JobSubmission withHandler(String name) {
        return new JobSubmission(
                type, executionAt, workKind, payload, callback, autoRetry, name, idempotencyKey);
    }

    /// A name of yours for this one request. Without one a random key is made, which covers the
    /// client's own retries and no more.
    public JobSubmission withIdempotencyKey(String key) {
        return new JobSubmission(
                type, executionAt, workKind, payload, callback, autoRetry, handler, key);
    }

    public JobSubmission withoutIdempotencyKey() {
        return new JobSubmission(
                type, executionAt, workKind, payload, callback, autoRetry, handler, null);
    }
}
