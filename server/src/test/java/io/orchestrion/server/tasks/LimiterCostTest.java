package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.Test;

import java.io.IOException;

/// L-003: what counting costs.
class LimiterCostTest {
    private static final int REQUESTS = 20;

    @Test
    void a_counted_request_is_one_round_trip_more_and_an_uncounted_one_none() throws IOException {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::throughAtRest)) {
            TaskApi counted = server.account("agency");
            TaskApi uncounted = server.account();
            for (int i = 0; i < 5; i++) {
                look(counted);
                look(uncounted);
            }
            long more = trips(line, counted) - trips(line, uncounted);
            assertThat(more).isEqualTo(REQUESTS);

            // What is refused costs a look at the plan now and then, not one for each refusal.
            new Counters(server).ofKey(counted, "get", 3000);
            look(counted);
            assertThat(trips(line, counted)).isLessThan(REQUESTS);

            Reply health = server.anonymous().get("/health");
            assertThat(health.number("/rate_limiter/requests")).isEqualTo(REQUESTS + 6);
            assertThat(health.at("/rate_limiter/p99_ms").asDouble())
                    .isGreaterThanOrEqualTo(health.at("/rate_limiter/p50_ms").asDouble())
                    .isPositive();
        }
    }

    private static long trips(DatabaseLine line, TaskApi account) {
        long before = line.roundTrips();
        for (int i = 0; i < REQUESTS; i++) {
            look(account);
        }
        return line.roundTrips() - before;
    }

    private static void look(TaskApi account) {
        account.get(Requests.NO_TASK);
    }
}
