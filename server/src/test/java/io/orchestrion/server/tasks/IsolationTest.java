package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Duration;
import java.util.List;

class IsolationTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private final TaskApi owner = server.account();
    private final TaskApi stranger = server.account();

    /// T-009, T-242.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void a_stranger_finds_no_task_under_any_verb_and_changes_nothing(TaskStatus status) {
        String id = Requests.task(owner, status);
        strangerGetsNowhere(id);
    }

    /// T-009: also where a verb of the owner would write an expiry.
    @Test
    void a_stranger_does_not_even_bring_on_the_expiry_of_a_lease() {
        String id = owner.create("late", "\"leaseDurationSeconds\":30");
        owner.verb(id, "claim");
        server.clock().advance(Duration.ofSeconds(31));
        strangerGetsNowhere(id);
    }

    private void strangerGetsNowhere(String id) {
        List<String> before = Storage.of(server).tasksOf(owner.accountId());
        List<Requests> requests = Requests.aboutTask(id);
        assertThat(requests)
                .extracting(Requests::name)
                .contains(
                        "getTask",
                        "claimTask",
                        "completeTask",
                        "failTask",
                        "heartbeatTask",
                        "cancelTask",
                        "requeueTask",
                        "releaseTask");
        for (Requests request : requests) {
            Reply refused = request.by(stranger.api());
            assertThat(refused.status()).as(request.name()).isEqualTo(404);
            assertThat(refused.error()).as(request.name()).isEqualTo("task_not_found");
            assertThat(refused.text()).as(request.name()).doesNotContain(id);
        }
        assertThat(Storage.of(server).tasksOf(owner.accountId())).isEqualTo(before);
        assertThat(Storage.of(server).tasksOf(stranger.accountId())).isEmpty();
    }

    /// T-009: the lease token of the owner opens nothing for another account.
    @Test
    void the_owners_lease_token_is_worth_nothing_to_a_stranger() {
        String id = owner.create("held");
        String token = owner.claim("held").text("/leaseToken");
        for (String verb : List.of("heartbeat", "complete", "fail")) {
            Reply refused = stranger.verb(id, verb, "{\"leaseToken\":\"%s\"}".formatted(token));
            assertThat(refused.error()).isEqualTo("task_not_found");
        }
        assertThat(owner.status(id)).isEqualTo("claimed");
    }

    /// T-010.
    @Test
    void lists_and_claims_stay_within_the_account() {
        String theirs = owner.create("shared", "\"priority\":100");
        String mine = stranger.create("shared");
        assertThat(stranger.api().get("/v1/tasks").at("/tasks").values())
                .extracting(task -> task.get("id").asString())
                .containsExactly(mine);
        assertThat(owner.api().get("/v1/tasks?type=shared").at("/tasks").values())
                .extracting(task -> task.get("id").asString())
                .containsExactly(theirs);
        assertThat(stranger.claim("shared").text("/task/id")).isEqualTo(mine);
        assertThat(stranger.claim("shared").at("/task").isNull()).isTrue();
        assertThat(owner.status(theirs)).isEqualTo("pending");
    }

    /// T-010: the cursor of one account shows another account only its own tasks.
    @Test
    void a_cursor_from_another_account_leads_to_no_foreign_task() {
        for (int i = 0; i < 3; i++) {
            owner.create("paged");
        }
        String cursor = owner.api().get("/v1/tasks?limit=1").text("/nextCursor");
        assertThat(stranger.api().get("/v1/tasks?cursor=" + cursor).at("/tasks").size()).isZero();
    }
}
