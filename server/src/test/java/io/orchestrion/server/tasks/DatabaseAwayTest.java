package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.Until;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;

@Timeout(180)
class DatabaseAwayTest {
    private static final String CREATE = "{\"type\":\"fresh\",\"payload\":{}}";

    /// T-260, T-254: several rounds, so that both broken and refused connections are met.
    @Test
    void every_endpoint_says_so_and_works_again_without_a_restart() throws Exception {
        try (var line = new DatabaseLine();
                var server = new TestServer(line::through)) {
            TaskApi tasks = server.account();
            String id = tasks.create("kept");
            tasks.verb(id, "claim");
            for (int round = 0; round < 2; round++) {
                line.cut();
                for (Requests request : Requests.authenticated(id)) {
                    long began = System.nanoTime();
                    away(request.by(tasks.api()), request.name());
                    assertThat(Duration.ofNanos(System.nanoTime() - began))
                            .as(request.name())
                            .isLessThan(Duration.ofSeconds(10));
                }
                away(server.anonymous().post("/v1/keys/register"), "register");
                assertThat(server.anonymous().get("/health").status()).isEqualTo(200);
                line.mend();
                assertThat(Storage.of(server).taskCount(tasks.accountId()))
                        .as("nothing of what failed was written")
                        .isEqualTo(1 + round);
                // A connection that broke unnoticed still costs the first request that meets it.
                for (Requests request : Requests.authenticated(id)) {
                    if (!request.name().equals("createTask")) {
                        Until.isTrue(
                                request.name() + " works again",
                                Duration.ofSeconds(30),
                                () -> request.by(tasks.api()).status() < 500);
                    }
                }
                Until.isTrue(
                        "createTask works again",
                        Duration.ofSeconds(30),
                        () -> tasks.api().post("/v1/tasks", CREATE).status() == 201);
                assertThat(server.anonymous().post("/v1/keys/register").status()).isEqualTo(201);
            }
        }
    }

    private static void away(Reply reply, String name) {
        assertThat(reply.status()).as(name + reply.text()).isEqualTo(503);
        assertThat(reply.header("Retry-After")).isEqualTo("1");
        assertThat(reply.error()).isEqualTo("server_error");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(reply.text("/agent_contract/next_actions/0/action"))
                .isEqualTo("retry_after_wait");
        assertThat(reply.text()).doesNotContain("SQL", "jdbc:", "127.0.0.1", "Exception");
    }
}
