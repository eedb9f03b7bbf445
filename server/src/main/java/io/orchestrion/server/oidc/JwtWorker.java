package io.orchestrion.server.oidc;

import org.jspecify.annotations.Nullable;

import java.util.Set;
import java.util.UUID;

/// Who a good token speaks for, and what it may take: null is anything and an empty set nothing.
public record JwtWorker(
        UUID account,
        String workerId,
        @Nullable Set<String> repositories,
        @Nullable Set<String> kinds,
        @Nullable Set<String> capabilities) {}
