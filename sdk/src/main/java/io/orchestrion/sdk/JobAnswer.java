package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.UUID;

/// How a job stands after a cancel or a retry; one that there was nothing to do about is as before.
///
/// @param attempt null in the answer to a cancel
public record JobAnswer(UUID id, JobState state, Instant updatedAt, @Nullable Integer attempt) {}
