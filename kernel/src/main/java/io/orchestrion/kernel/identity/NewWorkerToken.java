package io.orchestrion.kernel.identity;

import org.jspecify.annotations.Nullable;

import java.util.Set;

/// A worker token that an account asks for.
///
/// @param repositories whole names or `owner/*`; in this and the other two null is anything and an
///     empty set nothing
/// @param expiry null for a token that does not expire
public record NewWorkerToken(
        String workerId,
        String description,
        @Nullable Set<String> repositories,
        @Nullable Set<String> kinds,
        @Nullable Set<String> capabilities,
        NewKey.@Nullable Expiry expiry) {}
