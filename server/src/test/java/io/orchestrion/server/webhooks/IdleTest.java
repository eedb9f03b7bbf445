package io.orchestrion.server.webhooks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.sweep.SweepStatus;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.HookReceiver;

import org.junit.jupiter.api.Test;

/// A server without receivers, and with a purger that finds nothing, does little; and as soon as
/// somebody listens, it looks often.
class IdleTest {
    @Test
    void duties_rest_longer_where_there_is_nothing_to_do() {
        try (var server =
                        new TestServer(
                                options -> options,
                                options -> options.withWebhooks(HooksFixture.OPTIONS));
                var receiver = new HookReceiver()) {
            long usual = pace(server, "lease-reaper");
            assertThat(looked(server, FanOut.NAME)).isEqualTo(usual);
            assertThat(looked(server, Deliverer.NAME)).isEqualTo(usual);
            assertThat(looked(server, "claim-purger")).isEqualTo(10 * usual);

            TaskApi tasks = server.account();
            String body =
                    "{\"url\":\"%s\",\"events\":[\"task.created\"]}".formatted(receiver.url("/in"));
            assertThat(tasks.api().post("/v1/webhooks", body).status()).isEqualTo(201);
            assertThat(looked(server, FanOut.NAME)).isEqualTo(Math.min(usual, 200));
            assertThat(looked(server, Deliverer.NAME)).isEqualTo(Math.min(usual, 200));
        }
    }

    /// How long it rests after a look.
    private static long looked(TestServer server, String duty) {
        server.kernel().kernel().sweepOnce(duty);
        return pace(server, duty);
    }

    private static long pace(TestServer server, String duty) {
        return server.kernel().kernel().sweeps().stream()
                .filter(status -> status.name().equals(duty))
                .mapToLong(SweepStatus::paceMs)
                .findFirst()
                .orElseThrow();
    }
}
