package io.orchestrion.sdk;

import static io.orchestrion.sdk.Wire.instantOrNull;
import static io.orchestrion.sdk.Wire.numberOrNull;
import static io.orchestrion.sdk.Wire.textOrNull;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;

/// A file that belongs to a run; from [RunArtifacts].
///
/// ```java
/// for (RunArtifact file : client.runs().artifacts().list("run_7", null, null, null).items()) {
///     System.out.println(file.name() + ", " + file.size() + " bytes, until " + file.expiresAt());
/// }
/// ```
///
/// @param state such as `ready` or `deleted`
/// @param json everything that the server says of it
public record RunArtifact(
        String id, String runId, String name, String contentType, String state, JsonNode json) {
    /// Bytes; null until it is whole.
    public @Nullable Long size() {
        return numberOrNull(json, "size");
    }

    /// SHA-256 of the content in 64 hex digits; null until it is whole.
    public @Nullable String checksum() {
        return textOrNull(json, "checksum");
    }

    /// After it the bytes are gone; null while the run has not ended.
    public @Nullable Instant expiresAt() {
        return instantOrNull(json, "expires_at");
    }
}
