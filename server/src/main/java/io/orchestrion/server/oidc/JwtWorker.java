package io.orchestrion.server.oidc;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.UUID;

/// The worker that a good token belongs to, and what it may take: null allows anything and an empty
/// set nothing.
public record JwtWorker(
        UUID account,
        String workerId,
        @Nullable Set<String> repositories,
        @Nullable Set<String> kinds,
        @Nullable Set<String> capabilities) {}
