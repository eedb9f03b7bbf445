package io.orchestrion.orchestrations.execution;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.WorkItem;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.util.UUID;

class ExecutionFlowTest {
    private final OrchestrationFixture fixture = new OrchestrationFixture();

    @AfterEach
    void close() {
        fixture.close();
    }

    /// E-030, E-042, E-080, E-052.
    @Test
    void two_steps_are_done_by_workers_one_after_the_other() {
        UUID id =
                fixture.start(
                                Documents.of(
                                        Documents.task("a", ",\"on_success\":\"b\""),
                                        Documents.task(
                                                "b",
                                                ",\"input\":{\"from_a\":{\"$ref\":\"$.steps.a.result.x\"}}")))
                        .id();
        assertThat(fixture.claim("do_b", 1)).isEmpty();
        WorkItem a = fixture.claim("do_a");
        fixture.complete(a, "{\"x\":42}");

        WorkItem b = fixture.claim("do_b");
        fixture.complete(b, "{\"done\":true}");

        assertThat(fixture.history(id)).containsExactly("a#1 succeeded", "b#1 succeeded");
        Execution execution = fixture.execution(id);
        assertThat(execution.status()).isEqualTo(ExecutionStatus.SUCCEEDED);
        assertThat(execution.ending().output()).isEqualTo("{\"done\":true}");
    }
}
