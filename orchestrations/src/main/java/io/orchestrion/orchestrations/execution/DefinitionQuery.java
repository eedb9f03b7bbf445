package io.orchestrion.orchestrations.execution;

import org.jspecify.annotations.Nullable;

import java.util.UUID;

/// Which definitions are listed, newest first.
///
/// @param before the id of the last one of the page before
public record DefinitionQuery(
        UUID account,
        DefinitionVersion.@Nullable Status status,
        @Nullable String name,
        @Nullable UUID before,
        int limit) {}
