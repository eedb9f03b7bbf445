package io.orchestrion.jobs;

import io.orchestrion.jobs.catalogue.JobType;

import org.jspecify.annotations.Nullable;

/// The facts of a job that are needed to tell its events; none of them ever changes.
///
/// @param workKind null only where the definition has been lost
public record JobFacts(
        JobType type,
        @Nullable String workKind,
        @Nullable String callback,
        int maxAttempts,
        @Nullable String handler) {}
