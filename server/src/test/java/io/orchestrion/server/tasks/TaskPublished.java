package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.ObjectSpec;

/// What the tests of other packages need of the door's types.
public final class TaskPublished {
    public static final ObjectSpec ERROR = TaskSpecs.ERROR_ANSWER;

    private TaskPublished() {}
}
