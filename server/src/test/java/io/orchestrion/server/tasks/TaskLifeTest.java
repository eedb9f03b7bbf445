package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

import java.time.Duration;

class TaskLifeTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi tasks = server.account();

    /// T-022, T-025, T-027, T-029, T-081, T-082, T-084.
    @Test
    void a_task_is_created_claimed_kept_alive_and_completed() {
        String id = tasks.create("build");
        Reply claimed = tasks.claim("build");
        assertThat(claimed.status()).isEqualTo(200);
        assertThat(claimed.text("/task/id")).isEqualTo(id);
        assertThat(claimed.text("/task/status")).isEqualTo("claimed");
        assertThat(tasks.verb(id, "heartbeat").status()).isEqualTo(200);
        Reply completed = tasks.verb(id, "complete", "{\"result\":{\"ok\":true}}");
        assertThat(completed.status()).isEqualTo(200);
        assertThat(tasks.get(id).at("/task/result/ok").asBoolean()).isTrue();
    }

    /// T-115: an expired lease that no sweeper has seen.
    @Test
    void a_holder_whose_lease_ran_out_is_told_so_before_any_sweep() {
        String id = tasks.create("late", "\"leaseDurationSeconds\":30");
        tasks.claim("late");
        server.clock().advance(Duration.ofSeconds(31));
        for (String verb : new String[] {"complete", "fail", "heartbeat"}) {
            Reply refused = tasks.verb(id, verb);
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.error()).isEqualTo("lease_expired");
        }
        assertThat(tasks.get(id).at("/agent_contract/lease_valid").asBoolean()).isFalse();
    }
}
