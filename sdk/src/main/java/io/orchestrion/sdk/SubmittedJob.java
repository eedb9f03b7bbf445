package io.orchestrion.sdk;

import java.time.Instant;
import java.util.UUID;

/// The answer to [Jobs#submit].
///
/// @param state `QUEUED` for a job that is due, `CREATED` for a job that waits for its time
public record SubmittedJob(UUID id, JobState state, Instant createdAt) {}
