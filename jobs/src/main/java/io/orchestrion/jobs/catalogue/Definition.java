package io.orchestrion.jobs.catalogue;

/// What a job is to do, fixed when it is accepted: the same seed gives the same definition again.
///
/// @param workKind a name of the catalogue
/// @param durationMs how long the work takes, before any time scale
/// @param payloadSizeBytes how much output it gives
/// @param seedMs the database's time at which the job was accepted
public record Definition(
        String workKind,
        long durationMs,
        boolean shouldFail,
        int payloadSizeBytes,
        long seedMs) {
    public Definition {
        if (workKind.isEmpty() || durationMs < 0 || payloadSizeBytes < 0) {
            throw new IllegalArgumentException(
                    "no such work: " + workKind + ", " + durationMs + " ms, " + payloadSizeBytes);
        }
    }
}
