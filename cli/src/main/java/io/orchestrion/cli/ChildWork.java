package io.orchestrion.cli;

import io.orchestrion.sdk.QueueJob;
import io.orchestrion.sdk.Task;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.UUID;

/// The work of a child process, from either door.
///
/// @param payload JSON text, as the child reads it
/// @param reasonMax how many characters the reason of a failure may have
/// @param lease of which the last third is there to end the child in
/// @param correlationId the id of the larger whole that it belongs to, or null
/// @param reports whether its door takes more about an attempt than an outcome: a structured error,
///     usage, a reference to logs
record ChildWork(
        UUID id,
        String type,
        int attempt,
        int maxAttempts,
        String payload,
        JsonNode payloadJson,
        int reasonMax,
        Duration lease,
        @Nullable String correlationId,
        boolean reports) {
    static ChildWork of(QueueJob job, Duration lease) {
        return new ChildWork(
                job.id(),
                job.type(),
                job.attempt(),
                job.maxAttempts(),
                orEmpty(job.payload()),
                job.payloadJson(),
                4_000,
                lease,
                null,
                false);
    }

    static ChildWork of(Task task) {
        return new ChildWork(
                task.id(),
                task.type(),
                task.attemptCount(),
                task.maxAttempts(),
                orEmpty(task.payload()),
                task.payloadJson(),
                500,
                task.leaseDuration(),
                task.correlationId(),
                true);
    }

    private static String orEmpty(@Nullable String payload) {
        return payload == null ? "{}" : payload;
    }

    @Nullable String repository() {
        return payloadJson.path("repository").stringValueOpt().orElse(null);
    }
}
