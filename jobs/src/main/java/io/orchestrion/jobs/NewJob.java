package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobType;
import io.orchestrion.kernel.combine.OfAccount;
import io.orchestrion.kernel.idempotency.IdempotencyKey;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.UUID;

/// A job to be accepted. The door has checked the forms; what is checked here is what no door may
/// get wrong.
///
/// @param executionMs for DEFERRED, and for nothing else
/// @param workKind a name of the catalogue; null lets the time of acceptance choose
/// @param payload JSON text; null is an empty object
/// @param handler the real handler it is bound to
/// @param traceparent the trace it belongs to
public record NewJob(
        UUID account,
        JobType type,
        @Nullable Long executionMs,
        @Nullable String workKind,
        @Nullable String payload,
        @Nullable String callback,
        @Nullable IdempotencyKey key,
        boolean autoRetry,
        @Nullable String handler,
        @Nullable String traceparent)
        implements OfAccount {

    @Override
    public UUID accountId() {
        return account;
    }

    /// The life of a key is that of its job: it goes when the job goes.
    public static final Duration KEY_LIFE = Duration.ofDays(3650);

    /// A placeholder that is older belongs to nobody any more.
    public static final Duration KEY_STALE_AFTER = Duration.ofSeconds(90);

    public NewJob {
        if ((type == JobType.DEFERRED) != (executionMs != null)) {
            throw new IllegalArgumentException(
                    "DEFERRED has a time of execution, others have none");
        }
    }

    public static NewJob of(UUID account, JobType type) {
        return new NewJob(account, type, null, null, null, null, null, false, null, null);
    }

    public NewJob at(long ms) {
        return new NewJob(
                account,
                JobType.DEFERRED,
                ms,
                workKind,
                payload,
                callback,
                key,
                autoRetry,
                handler,
                traceparent);
    }

    public NewJob of(String kind) {
        return new NewJob(
                account,
                type,
                executionMs,
                kind,
                payload,
                callback,
                key,
                autoRetry,
                handler,
                traceparent);
    }

    /// Once for this key, which [#keyOf] makes.
    public NewJob once(IdempotencyKey other) {
        return new NewJob(
                account,
                type,
                executionMs,
                workKind,
                payload,
                callback,
                other,
                autoRetry,
                handler,
                traceparent);
    }

    public NewJob callingBack(String url) {
        return new NewJob(
                account,
                type,
                executionMs,
                workKind,
                payload,
                url,
                key,
                autoRetry,
                handler,
                traceparent);
    }

    public NewJob retriedByItself() {
        return new NewJob(
                account,
                type,
                executionMs,
                workKind,
                payload,
                callback,
                key,
                true,
                handler,
                traceparent);
    }

    /// @param requestHash of the request without its key
    public static IdempotencyKey keyOf(UUID account, String key, byte[] requestHash) {
        return new IdempotencyKey(
                "jobs", account, "submit", key, requestHash, KEY_LIFE, KEY_STALE_AFTER);
    }
}
