package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.UUID;

/// A task to create.
///
/// ```java
/// client.create(NewTask.ofType("hello").payload("{\"name\":\"world\"}").priority(5).build());
/// ```
///
/// Requests with the same idempotency key make one task, for seven days. To repeat a create, send
/// the same `NewTask` again. To make another task, build another `NewTask`.
///
/// @param payload JSON text of an object
/// @param further JSON text of an object: other fields of `POST /v1/tasks`, under their own names
public record NewTask(
        String type,
        String payload,
        @Nullable Integer priority,
        @Nullable Integer maxAttempts,
        @Nullable Duration leaseDuration,
        @Nullable Instant scheduledAt,
        String idempotencyKey,
        String further) {
    public NewTask {
        checkKey(idempotencyKey);
    }

    /// A task without further fields.
    public NewTask(
            String type,
            String payload,
            @Nullable Integer priority,
            @Nullable Integer maxAttempts,
            @Nullable Duration leaseDuration,
            @Nullable Instant scheduledAt,
            String idempotencyKey) {
        this(
                type,
                payload,
                priority,
                maxAttempts,
                leaseDuration,
                scheduledAt,
                idempotencyKey,
                "{}");
    }

    static void checkKey(String idempotencyKey) {
        if (!idempotencyKey.matches("[!-~]([ -~]{0,253}[!-~])?")) {
            throw new IllegalArgumentException(
                    "an idempotency key has 1 to 255 printable ASCII characters, and no blank at"
                            + " either end");
        }
    }

    /// Starts a task. The server chooses what is not set.
    public static Builder ofType(String type) {
        return new Builder(type);
    }

    /// Builds a task.
    ///
    /// ```java
    /// NewTask report = NewTask.ofType("report")
    ///         .payload("{\"month\":\"2026-11\"}")
    ///         .idempotencyKey("report-2026-11")
    ///         .scheduledAt(Instant.now().plusSeconds(3600))
    ///         .build();
    /// ```
    public static final class Builder {
        private final String type;
        private String payload = "{}";
        private @Nullable Integer priority;
        private @Nullable Integer maxAttempts;
        private @Nullable Duration leaseDuration;
        private @Nullable Instant scheduledAt;
        private @Nullable String idempotencyKey;
        private final ObjectNode further = Json.object();

        private Builder(String type) {
            this.type = type;
        }

        /// JSON text of an object; `{}` unless set.
        public Builder payload(String json) {
            payload = json;
            return this;
        }

        /// 0 to 100; higher is claimed first.
        public Builder priority(int priority) {
            this.priority = priority;
            return this;
        }

        /// How many claims there may be before a failure is final, 1 to 10.
        public Builder maxAttempts(int attempts) {
            maxAttempts = attempts;
            return this;
        }

        /// How long a claim lasts without a heartbeat, 30 seconds to an hour, in whole seconds.
        public Builder leaseDuration(Duration duration) {
            leaseDuration = duration;
            return this;
        }

        /// Not claimable before this time; at most 30 days ahead.
        public Builder scheduledAt(Instant at) {
            scheduledAt = at;
            return this;
        }

        /// Your name for this one request, such as the number of an order. Without one a random key
        /// is made, which covers only the client's own retries.
        public Builder idempotencyKey(String key) {
            idempotencyKey = key;
            return this;
        }

        /// Other fields of `POST /v1/tasks`, under their own names.
        ///
        /// @param json JSON text of an object
        public Builder further(String json) {
            further.setAll(Json.object(json, "further"));
            return this;
        }

        /// Tasks of one type and key share the slots of the type's concurrency limit.
        public Builder concurrencyKey(String key) {
            further.put("concurrencyKey", key);
            return this;
        }

        /// Tasks of one type and key share the type's rate limit.
        public Builder rateKey(String key) {
            further.put("rateKey", key);
            return this;
        }

        /// The id of the larger whole that the task belongs to; its events and logs carry it. At
        /// most 200 characters.
        public Builder correlationId(String id) {
            further.put("correlationId", id);
            return this;
        }

        /// The task is cancelled if it is still open so long after its creation, in whole seconds.
        public Builder giveUpAfter(Duration time) {
            further.put("giveUpAfterSeconds", time.toSeconds());
            return this;
        }

        /// Not claimable until all of these are completed.
        public Builder dependsOn(Collection<UUID> tasks) {
            var ids = further.putArray("dependsOn");
            tasks.forEach(id -> ids.add(id.toString()));
            return this;
        }

        /// What happens when one of these tasks does not complete: `cancel`, `ignore` or `hold`.
        public Builder onDependencyFailure(String deed) {
            further.put("onDependencyFailure", deed);
            return this;
        }

        /// Makes the task unique: there is one such task of the type at a time.
        ///
        /// @param json JSON text of an object as `unique` of `POST /v1/tasks` takes it
        public Builder unique(String json) {
            further.set("unique", Json.object(json, "unique"));
            return this;
        }

        public NewTask build() {
            return new NewTask(
                    type,
                    payload,
                    priority,
                    maxAttempts,
                    leaseDuration,
                    scheduledAt,
                    idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey,
                    further.toString());
        }
    }
}
