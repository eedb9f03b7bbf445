package io.orchestrion.jobs.catalogue;

/// What a job was accepted as. It is stored with the job and never changes, whatever the settings
/// become.
///
/// @param workKind a name of the catalogue
/// @param seedMs the time of the request, from which a kind that was not named was chosen
public record JobDefinition(
        String workKind, long durationMs, boolean shouldFail, int payloadSizeBytes, long seedMs) {
    public JobDefinition {
        if (workKind.isEmpty()) {
            throw new IllegalArgumentException("a definition names its work kind");
        }
        if (durationMs < 0 || payloadSizeBytes < 0) {
            throw new IllegalArgumentException(
                    "duration %d ms, payload %d bytes: neither is negative"
                            .formatted(durationMs, payloadSizeBytes));
        }
    }
}
