package io.orchestrion.server.tasks;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;

/// What the tests of other packages need of the door's types.
public final class TaskPublished {
    public static final ObjectSpec ERROR = TaskDoorSpecs.ERROR_ANSWER;

    private TaskPublished() {}
}
