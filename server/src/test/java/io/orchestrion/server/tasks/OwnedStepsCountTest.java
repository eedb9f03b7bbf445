package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.orchestrations.OrchestrationApi;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// What steps of executions count for in the plan of their account.
class OwnedStepsCountTest {
    private static final int FREE_TASKS = 200;
    private static final int FREE_WORKERS = 2;

    private final TestServer server = new TestServer();
    private final TaskApi tasks = server.account("free");
    private final OrchestrationApi api = new OrchestrationApi(tasks);

    @AfterEach
    void close() {
        server.close();
    }

    /// E-237.
    @Test
    void steps_use_up_no_tasks_of_the_month_and_their_claims_count_as_any_other() {
        String definition =
                api.published(
                        OrchestrationApi.document(
                                OrchestrationApi.task("a", ",\"on_success\":\"b\""),
                                OrchestrationApi.task("b", "")));
        var counters = new Counters(server);
        counters.monthOf(tasks, FREE_TASKS);
        assertThat(tasks.api().post("/v1/tasks", "{\"type\":\"p\",\"payload\":{}}").error())
                .isEqualTo("quota_exceeded");

        api.started(definition);
        api.done("do_a");
        api.done("do_b");
        assertThat(counters.monthOf(tasks)).isEqualTo(FREE_TASKS);

        for (int i = 0; i < FREE_WORKERS; i++) {
            api.started(definition);
            api.claimed("do_a");
        }
        api.started(definition);
        assertThat(tasks.claim("do_a").error()).isEqualTo("max_workers_reached");
    }
}
