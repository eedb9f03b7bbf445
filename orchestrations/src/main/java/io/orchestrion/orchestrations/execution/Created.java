package io.orchestrion.orchestrations.execution;

import java.util.List;

/// What became of an execution that somebody asked for.
public sealed interface Created {
    /// @param replayed whether it was made by an earlier call with the same key
    record Made(Execution execution, boolean replayed) implements Created {}

    record NoDefinition() implements Created {}

    /// The version that was asked for is a draft, or no version is published.
    record NotPublished() implements Created {}

    record Deprecated() implements Created {}

    /// The definition was published or deprecated meanwhile; only inside the engine.
    record Outdated() implements Created {}

    /// @param faults what is wrong with the input, each with its place
    record BadInput(List<String> faults) implements Created {}

    /// The key was used for another request.
    record KeyConflict() implements Created {}

    /// The first call with this key is still under way.
    record KeyInFlight() implements Created {}

    /// @param limit the name of the limit in the definition
    record TooMany(String limit, int most) implements Created {}
}
