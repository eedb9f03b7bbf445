package io.orchestrion.jobs.catalogue;

import org.jspecify.annotations.Nullable;

/// Makes definitions. Pure: the same in gives the same out.
@FunctionalInterface
public interface DefinitionSource {
    /// @param workKind a name of the catalogue; null lets the seed choose
    /// @throws IllegalArgumentException when there is no such kind, which the door has to know
    ///     before
    JobDefinition define(@Nullable String workKind, long seedMs, JobType type);
}
