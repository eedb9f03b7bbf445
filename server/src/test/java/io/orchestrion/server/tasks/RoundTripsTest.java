package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.json.ObjectSpec;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.server.doors.Doors;
import io.orchestrion.server.http.Endpoint;

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

    /// What a look-up costs tells no more than its answer: at the tasks and queue doors an id of
    /// another account is asked for as often as one that nobody has.
    @Test
    void a_foreign_id_costs_what_an_unknown_one_does() throws IOException {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::throughAtRest)) {
            TaskApi owner = server.account();
            TaskApi stranger = server.account();
            String task = owner.create("build");
            String job =
                    owner.api()
                            .post("/api/queue/jobs", "{\"type\":\"build\",\"payload\":{}}")
                            .text("/id");
            assertThat(job).isNotEmpty();
            int asked = 0;
            for (Endpoint endpoint : Doors.CATALOGUE) {
                boolean ofTask = endpoint.path().startsWith("/v1/tasks/{id}");
                if (ofTask || endpoint.path().startsWith("/api/queue/jobs/{jobId}")) {
                    asked++;
                    Looked foreign = least(line, stranger, endpoint, ofTask ? task : job);
                    Looked unknown = least(line, stranger, endpoint, Requests.NO_TASK);
                    assertThat(foreign).as(endpoint.name()).isEqualTo(unknown);
                    assertThat(foreign.status()).as(endpoint.name()).isEqualTo(404);
                }
            }
            assertThat(asked).isGreaterThan(15);
        }
    }

    private record Looked(int status, long trips) {}

    /// Of a few: now and then the key is looked up as well.
    private static Looked least(DatabaseLine line, TaskApi by, Endpoint endpoint, String id) {
        ObjectSpec body = endpoint.request();
        long least = Long.MAX_VALUE;
        int status = 0;
        for (int i = 0; i < 3; i++) {
            long before = line.roundTrips();
            status =
                    by.api()
                            .send(
                                    endpoint.method(),
                                    endpoint.path().replaceFirst("\\{[^}]*}", id),
                                    body == null ? null : body.toExample())
                            .status();
            least = Math.min(least, line.roundTrips() - before);
        }
        return new Looked(status, least);
    }
}
