package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.util.ArrayList;

/// How often the hot verbs ask the database and wait for it (decisions 122 and 130).
class RoundTripsTest {
    private static final int TASKS = 10;

    /// The moved clock of the tests asks for the time in each transaction; a server's counts on.
    private static final int FOR_THE_TIME = 1;

    @Test
    void a_create_is_one_round_trip_and_a_claim_and_a_complete_are_two() throws IOException {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::throughAtRest)) {
            TaskApi tasks = server.account();
            live(tasks, line);
            Trips trips = live(tasks, line);
            assertThat(trips.creates()).isEqualTo(TASKS * (FOR_THE_TIME + 1));
            assertThat(trips.claims()).isEqualTo(TASKS * (FOR_THE_TIME + 2));
            assertThat(trips.completes()).isEqualTo(TASKS * (FOR_THE_TIME + 2));
        }
    }

    private record Trips(long creates, long claims, long completes) {}

    private static Trips live(TaskApi tasks, DatabaseLine line) {
        long begin = line.roundTrips();
        for (int i = 0; i < TASKS; i++) {
            tasks.create("build");
        }
        long created = line.roundTrips();
        var ids = new ArrayList<String>();
        for (int i = 0; i < TASKS; i++) {
            ids.add(tasks.claim("build").text("/task/id"));
        }
        long claimed = line.roundTrips();
        for (String id : ids) {
            assertThat(tasks.verb(id, "complete").status()).isEqualTo(200);
        }
        return new Trips(created - begin, claimed - created, line.roundTrips() - claimed);
    }
}
