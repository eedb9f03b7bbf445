package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// The job after a cancel or a retry. If there was nothing to do, the job is unchanged.
///
/// @param attempt null in the answer to a cancel
public record JobAnswer(UUID id, JobState state, Instant updatedAt, @Nullable Integer attempt) {}
