package io.orchestrion.server.runs;

import org.jspecify.annotations.Nullable;

/// What is set of the runs door.
///
/// @param fault why the door does nothing; null when nothing is wrong
public record RunSettings(@Nullable String fault) {
    public static final RunSettings DEFAULT = new RunSettings(null);

    RunSettings broken(String why) {
        return new RunSettings(why);
    }
}
