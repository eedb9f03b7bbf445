package io.orchestrion.app;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Folders;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;

/// The whole product dies in the middle of an operation on many tasks, and is started again.
class BulkKillTest {
    private static final int THREADS = 16;
    private static final int EACH = 75;

    private final Path data = Folders.temporary("orchestrion-bulk-");
    private ServerProcess server;

    @AfterEach
    void stop() {
        if (server != null) {
            server.close();
        }
        Folders.delete(data);
    }

    /// L-024: the second of three steps, with everything written and nothing committed, and the
    /// moment after the first.
    @ParameterizedTest
    @ValueSource(strings = {"bulk.before-commit=halt@2", "bulk.after-step=halt@1"})
    void an_operation_goes_on_after_the_death_of_its_node_and_counts_each_task_once(String death) {
        server = ServerProcess.start(data, "-Dorchestrion.failpoints=" + death);
        Api api = server.api();
        Parallel.run(
                THREADS,
                _ ->
                        () -> {
                            for (int i = 0; i < EACH; i++) {
                                api.post("/v1/tasks", "{\"type\":\"many\",\"payload\":{}}");
                            }
                            return null;
                        });
        Reply made =
                api.post(
                        "/v1/operations", "{\"action\":\"cancel\",\"filter\":{\"type\":\"many\"}}");
        assertThat(made.number("/operation/matched")).isEqualTo(THREADS * EACH);
        assertThat(server.awaitEnd()).isEqualTo(137);
        server = ServerProcess.start(data);
        String path = "/v1/operations/" + made.text("/operation/id");
        Until.isTrue(
                "the operation has ended",
                Duration.ofSeconds(30),
                () -> server.api().get(path).text("/operation/state").equals("finished"));
        Reply ended = server.api().get(path);
        assertThat(ended.number("/operation/done")).isEqualTo(THREADS * EACH);
        assertThat(ended.number("/operation/skipped")).isZero();
        assertThat(server.api().get("/v1/tasks?type=many&status=pending").at("/tasks").size())
                .isZero();
        assertThat(server.api().get("/v1/audit?order=newest&limit=2").at("/entries").values())
                .extracting(entry -> entry.get("action").asString())
                .containsExactly("operation.finished", "operation.created");
    }
}
