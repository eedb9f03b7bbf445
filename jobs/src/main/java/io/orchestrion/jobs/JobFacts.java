package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobType;

import org.jspecify.annotations.Nullable;

/// What one has to know of a job to tell its events; none of it ever changes.
///
/// @param workKind null only where the definition has been lost
public record JobFacts(
        JobType type,
        @Nullable String workKind,
        @Nullable String callback,
        int maxAttempts,
        @Nullable String handler) {}
