package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A worker token, without what opens it. A list that is null allows everything, an empty one
/// nothing.
///
/// @param workerId the name that it is bound to
/// @param allowedRepositories whole names, or `owner/*`
/// @param active whether it opens anything now
/// @param status why, in the server's word: `active`, `inactive`, `expired`
/// @param lastUsedAt null if never
/// @param lastUsedFrom the address of that use
public record WorkerToken(
        UUID id,
        String workerId,
        @Nullable String description,
        @Nullable List<String> allowedRepositories,
        @Nullable List<String> allowedJobTypes,
        @Nullable List<String> capabilities,
        boolean active,
        @Nullable String status,
        @Nullable Instant expiresAt,
        @Nullable Instant lastUsedAt,
        @Nullable String lastUsedFrom,
        @Nullable Instant createdAt) {}
