package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.TestPostgres;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/// Stopping and starting again, and sharing a database.
class ServeStopTest {
    private final Path data = Folders.temporary("orchestrion-stop-");

    @AfterEach
    void delete() {
        Folders.delete(data);
    }

    @Test
    void a_stop_by_signal_ends_well_and_the_next_start_has_everything() {
        ServerProcess first = ServerProcess.start(data);
        String id =
                first.api()
                        .post("/v1/tasks", "{\"type\":\"stay\",\"payload\":{\"n\":1}}")
                        .text("/task/id");
        first.close();
        assertThat(first.awaitEnd()).isZero();
        try (var second = ServerProcess.start(data)) {
            assertThat(second.api().get("/v1/tasks/" + id).number("/task/payload/n")).isEqualTo(1);
        }
    }

    @Test
    void two_servers_on_one_outside_database_serve_the_same_work() {
        Path other = Folders.temporary("orchestrion-stop-");
        try (var database = TestPostgres.get().emptyDatabase();
                var one = ServerProcess.startOn(database.options(), data);
                var two = ServerProcess.startOn(database.options(), other)) {
            Api oneApi = one.api();
            String id =
                    oneApi.post("/v1/tasks", "{\"type\":\"shared\",\"payload\":{}}")
                            .text("/task/id");
            Reply claimed = two.api().post("/v1/tasks/claim", "{\"type\":\"shared\"}");
            assertThat(claimed.text("/task/id")).isEqualTo(id);
            assertThat(oneApi.post("/v1/tasks/" + id + "/complete").status()).isEqualTo(200);
        } finally {
            Folders.delete(other);
        }
    }
}
