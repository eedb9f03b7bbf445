package io.orchestrion.server.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.pool.Crew;
import io.orchestrion.kernel.pool.CrewStatus;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;

/// The workers inside the server show in its health, and what does not stop makes it degraded.
class PoolHealthTest {
    private static final String NAME = "test-workers";

    private static JsonNode pool(Reply health) {
        for (JsonNode each : health.at("/pools")) {
            if (each.get("name").asString().equals(NAME)) {
                return each;
            }
        }
        throw new AssertionError("no pool in " + health.text());
    }

    @Test
    void a_worker_that_does_not_stop_degrades_the_node_until_it_ends() {
        var leave = new CountDownLatch(1);
        try (var server = new TestServer()) {
            Crew crew = server.kernel().kernel().pool().crew(NAME, 3, 2);
            UUID account = UUID.randomUUID();
            assertThat(crew.take(account, 1)).isEqualTo(1);
            Crew.Run run =
                    crew.start(
                            account,
                            "at-work",
                            () ->
                                    Until.isTrue(
                                            "it may leave",
                                            Duration.ofMinutes(2),
                                            () -> leave.getCount() == 0));
            Reply well = server.anonymous().get("/health");
            assertThat(well.text("/status")).isEqualTo("ok");
            assertThat(pool(well).get("places").asInt()).isEqualTo(3);
            assertThat(pool(well).get("busy").asInt()).isEqualTo(1);
            assertThat(pool(well).get("stuck").asInt()).isZero();

            run.told();
            server.clock().advance(CrewStatus.STUCK_AFTER.plusSeconds(1));
            Reply stuck = server.anonymous().get("/health");
            assertThat(stuck.status()).isEqualTo(200);
            assertThat(stuck.text("/status")).isEqualTo("degraded");
            assertThat(pool(stuck).get("stuck").asInt()).isEqualTo(1);
            assertThat(pool(stuck).get("longest_seconds").asInt()).isGreaterThanOrEqualTo(31);

            leave.countDown();
            Until.isTrue("it has ended", Duration.ofSeconds(20), () -> crew.busy() == 0);
            Reply again = server.anonymous().get("/health");
            assertThat(again.text("/status")).isEqualTo("ok");
            assertThat(pool(again).get("longest_seconds").asInt()).isZero();
        } finally {
            leave.countDown();
        }
    }
}
