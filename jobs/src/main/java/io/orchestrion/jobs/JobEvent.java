package io.orchestrion.jobs;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// One change of a job's state, as the outside sees it.
///
/// @param eventId the same whenever and wherever the event is told
/// @param seq its place in the job's history
/// @param name see [JobEvents]
/// @param prev null for the first
/// @param scenario the work kind; null only where the definition has been lost
/// @param isFinal whether the last allowed attempt has failed with it
/// @param reason of a failure; null for others
public record JobEvent(
        UUID eventId,
        UUID jobId,
        int seq,
        String name,
        @Nullable JobState prev,
        JobState next,
        long atMs,
        int attempt,
        @Nullable String scenario,
        boolean isFinal,
        @Nullable String reason) {}
