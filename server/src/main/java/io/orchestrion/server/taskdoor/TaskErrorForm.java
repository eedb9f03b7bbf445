package io.orchestrion.server.taskdoor;

import io.orchestrion.server.contract.ContractErrorForm;

/// The errors of the tasks door in the documents. The examples are those of creating a task.
public final class TaskErrorForm extends ContractErrorForm<TaskError> {
    public TaskErrorForm() {
        super(TaskErrors.ALL, TaskDoorSpecs.ERROR_ANSWER, "POST", "/v1/tasks");
    }
}
