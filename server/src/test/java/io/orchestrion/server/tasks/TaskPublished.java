package io.orchestrion.server.tasks;

import io.orchestrion.server.json.ObjectSpec;

import java.util.Set;

/// What the tests of other packages need of the door's types.
public final class TaskPublished {
    public static final ObjectSpec ERROR = TaskSpecs.ERROR_ANSWER;

    /// What any endpoint may answer, listed or not; the last for a path that only looks like one of
    /// its own, such as an id with an encoded slash.
    public static final Set<String> ANYWHERE =
            Set.of("server_error", "overloaded", "invalid_request", "not_found");

    private TaskPublished() {}
}
