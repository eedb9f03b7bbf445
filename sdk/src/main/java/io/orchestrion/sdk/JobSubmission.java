package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.time.Instant;
import java.util.UUID;

/// A job to submit to `/v1/jobs`. Each method returns a changed copy.
///
/// ```java
/// client.jobs().submit(JobSubmission.execute().withWorkKind("SUCCESS_FAST"));
/// client.jobs().submit(JobSubmission.deferred(Instant.now().plusSeconds(3600))
///         .withCallback(URI.create("https://example.org/hook")));
/// ```
///
/// Requests with the same idempotency key make one job. To repeat a submit, send the same
/// `JobSubmission` again.
///
/// @param executionAt when a deferred job runs
/// @param workKind a name of the catalogue ([Jobs#catalogue]); null to let the server choose
/// @param payload JSON text for the handler, or null
/// @param callback receives a POST for each change of the job's state, or null
/// @param autoRetry whether the server retries a failure by itself, within the limit of retries
/// @param handler the name of a real handler instead of simulated work, or null
/// @param idempotencyKey null makes a new job of each request, which the client then sends only
///     once
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

    /// A job that runs as soon as possible.
    public static JobSubmission execute() {
        return of(JobType.EXECUTE, null);
    }

    /// A job that runs at a time, and not before.
    public static JobSubmission deferred(Instant at) {
        return of(JobType.DEFERRED, at);
    }

    /// A job that runs as soon as possible and ends with `job.emitted`.
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

    /// Your name for this one request. Without one a random key is made, which covers only the
    /// client's own retries.
    public JobSubmission withIdempotencyKey(String key) {
        return new JobSubmission(
                type, executionAt, workKind, payload, callback, autoRetry, handler, key);
    }

    public JobSubmission withoutIdempotencyKey() {
        return new JobSubmission(
                type, executionAt, workKind, payload, callback, autoRetry, handler, null);
    }
}
