package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobDefinition;
import io.orchestrion.jobs.catalogue.JobType;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// A job as its client sees it. Times are the database's, in epoch milliseconds.
///
/// @param executionMs the time that was asked for; null for an instant job
/// @param attempt 1 and one more for each accepted retry
/// @param definition null only where it has been lost, which fails the job when it runs
/// @param payload JSON text as the client gave it
/// @param handler the real handler it is bound to; null for simulated work
/// @param startedMs when the newest attempt began to run; null before
/// @param notBeforeMs until when a queued retry waits
/// @param runner who holds it now, or held it last
/// @param failure why the newest attempt failed
public record Job(
        UUID id,
        UUID account,
        JobType type,
        JobState state,
        @Nullable JobOutcome outcome,
        long createdMs,
        @Nullable Long executionMs,
        long updatedMs,
        int attempt,
        int maxAttempts,
        @Nullable String callback,
        @Nullable JobDefinition definition,
        String payload,
        @Nullable String handler,
        boolean autoRetry,
        @Nullable Long startedMs,
        @Nullable Long finishedMs,
        @Nullable Long notBeforeMs,
        @Nullable String runner,
        @Nullable JobFailure failure) {

    public boolean retriesLeft() {
        return attempt < maxAttempts;
    }
}
