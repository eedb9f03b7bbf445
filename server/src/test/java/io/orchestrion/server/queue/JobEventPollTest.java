package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.JobLogPolling;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;

/// whoever asks again from the last that it has seen misses nothing and gets nothing twice,
/// while eight append at once, on one node and on two.
@Timeout(180)
class JobEventPollTest extends QueueFixture {
    private static final int EACH = 60;

    private void pollWhileEightAppend(List<Api> nodes) throws Exception {
        QueueApi.Worker worker = queue.worker("executor-01");
        String id = queue.enqueue("t");
        assertThat(worker.claimed()).isEqualTo(id);
        new JobLogPolling(id, queue.key(), worker.token(), worker.id(), EACH).run(nodes);
        List<String> times =
                queue.events(id, "?limit=1000").at("/items").findValuesAsString("createdAt");
        assertThat(times).hasSize(8 * EACH + 2).isSorted().doesNotHaveDuplicates();
    }

    ///
    @Test
    void polling_under_eight_appenders_loses_and_repeats_nothing() throws Exception {
        pollWhileEightAppend(List.of(server.anonymous()));
    }

    /// Q-078 across nodes: half of them append through another server on the same database.
    @Test
    void polling_through_two_servers_loses_and_repeats_nothing() throws Exception {
        Kernel other = server.kernel().anotherNode(options -> options);
        try (var second = OrchestrionServer.start(other, TestServer.options())) {
            pollWhileEightAppend(
                    List.of(server.anonymous(), Api.on(second.port(), new CatalogueCheck())));
        }
    }
}
