package io.orchestrion.sdk;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;
import java.util.UUID;

/// A worker token, without its secret. A list that is null allows everything, an empty list
/// nothing.
///
/// @param workerId the worker's name that it is bound to
/// @param allowedRepositories whole names, or `owner/*`
/// @param active whether it works now
/// @param status the same in the server's word: `active`, `inactive` or `expired`
/// @param lastUsedAt null if never used
/// @param lastUsedFrom the address of its last use
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
