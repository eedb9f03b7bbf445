package io.orchestrion.server.tasks;

import io.orchestrion.server.http.Catalogue;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.limits.RateLimits;
import io.orchestrion.server.taskdoor.TaskDoorSpecs;
import io.orchestrion.server.taskdoor.TasksDoor;

import java.util.List;

/// The endpoints for tasks that wait for others.
public final class TermsEndpoints {
    private TermsEndpoints() {}

    static final Endpoint RELEASE =
            Endpoint.post("releaseTask", "/v1/tasks/{id}/release")
                    .door(TasksDoor.NAME)
                    .summary("Release task held after a failed dependency")
                    .limit(RateLimits.RELEASE)
                    .scopes("producer", "operator", "admin")
                    .request(TaskDoorSpecs.NOTHING)
                    .response(200, TaskSpecs.TASK_ANSWER)
                    .errors("task_not_found", "invalid_transition", "managed_task")
                    .build();

    public static final Catalogue CATALOGUE = new Catalogue(List.of(RELEASE));
}
