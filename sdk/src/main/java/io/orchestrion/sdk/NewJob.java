package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A job to put into the queue. Each method returns a changed copy.
///
/// ```java
/// client.queue().submit(NewJob.ofType("codex_exec").withPayload("{\"repository\":\"me/it\"}"));
/// ```
///
/// Requests with the same idempotency key make one job. To repeat a submit, send the same `NewJob`
/// again.
///
/// @param payload JSON text of an object; its fields `repository` and `requiredCapabilities` say
///     which workers may claim the job
/// @param maxAttempts 1 to 10; null for the server's default of 3
public record NewJob(
        String type,
        String payload,
        @Nullable Integer priority,
        @Nullable Integer maxAttempts,
        String idempotencyKey) {
    public NewJob {
        NewTask.checkKey(idempotencyKey);
    }

    public static NewJob ofType(String type) {
        return new NewJob(type, "{}", null, null, UUID.randomUUID().toString());
    }

    /// JSON text of an object; `{}` unless set.
    public NewJob withPayload(String json) {
        return new NewJob(type, json, priority, maxAttempts, idempotencyKey);
    }

    /// Jobs with a higher priority are claimed first.
    public NewJob withPriority(int priority) {
        return new NewJob(type, payload, priority, maxAttempts, idempotencyKey);
    }

    public NewJob withMaxAttempts(int attempts) {
        return new NewJob(type, payload, priority, attempts, idempotencyKey);
    }

    /// Your name for this one request. Without one a random key is made, which covers only the
    /// client's own retries.
    public NewJob withIdempotencyKey(String key) {
        return new NewJob(type, payload, priority, maxAttempts, key);
    }
}
