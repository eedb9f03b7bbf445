package io.orchestrion.sdk;

import java.time.Instant;
import java.util.UUID;

/// The answer to a submit.
///
/// @param state `QUEUED` for a job that is due, `CREATED` for one that waits for its time
public record SubmittedJob(UUID id, JobState state, Instant createdAt) {}
