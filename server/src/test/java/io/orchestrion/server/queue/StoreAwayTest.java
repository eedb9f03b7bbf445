package io.orchestrion.server.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;
import io.orchestrion.server.tasks.DatabaseLine;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

/// While the store is away every endpoint says so in the door's form, and works again after.
@Timeout(180)
class StoreAwayTest {
    @Test
    void every_endpoint_says_so_as_a_problem_and_works_again() throws Exception {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::through)) {
            QueueApi queue = QueueApi.of(server);
            String id = queue.enqueue("t");
            QueueApi.Worker worker = queue.worker("w");
            line.cut();
            for (Endpoint endpoint : Doors.CATALOGUE.ofDoor(QueueEndpoints.DOOR)) {
                String path = endpoint.path().replaceAll("\\{[^/]*}", id);
                ObjectSpec request = endpoint.request();
                Reply reply =
                        (QueueEndpoints.forWorkers(endpoint) ? worker.api() : queue.keyed())
                                .send(
                                        endpoint.method(),
                                        path,
                                        request == null ? null : request.toExample());
                assertThat(reply.status()).as(endpoint.name() + reply.text()).isIn(500, 503);
                assertThat(reply.header("Content-Type")).isEqualTo("application/problem+json");
                assertThat(reply.text("/code"))
                        .isIn("queue_unavailable", "queue_outcome_unknown", "queue_overloaded");
                assertThat(reply.at("/retryable").asBoolean()).isTrue();
                assertThat(reply.header("Retry-After").isEmpty()).isEqualTo(reply.status() == 500);
                assertThat(reply.text()).doesNotContain("SQL", "jdbc:", "127.0.0.1", "Exception");
            }
            line.mend();
            Until.isTrue(
                    "it works again",
                    Duration.ofSeconds(30),
                    () -> queue.get(id).status() == 200 && worker.claim("").status() == 200);
            assertThat(queue.status(id)).isEqualTo("running");
        }
    }
}
