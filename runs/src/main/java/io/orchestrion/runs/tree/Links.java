package io.orchestrion.runs.tree;

import java.util.List;
import java.util.UUID;

/// What waits for what.
///
/// @param dependencies names of what it waits for
/// @param dependents ids of what waits for it
/// @param unmet how many dependencies have not ended well yet
public record Links(List<String> dependencies, List<UUID> dependents, int unmet) {
    public Links {
        dependencies = List.copyOf(dependencies);
        dependents = List.copyOf(dependents);
    }

    public static final Links NONE = new Links(List.of(), List.of(), 0);

    /// Names may have any character but a line's end.
    String names() {
        return String.join("\n", dependencies);
    }

    /// Names as they are stored.
    public static List<String> names(String stored) {
        return stored.isEmpty() ? List.of() : List.of(stored.split("\n", -1));
    }
}
