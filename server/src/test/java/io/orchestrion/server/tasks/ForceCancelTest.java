package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.work.Command;
import io.orchestrion.kernel.work.CommandRequest;
import io.orchestrion.kernel.work.NewWork;
import io.orchestrion.kernel.work.Profiles;
import io.orchestrion.kernel.work.Submission;
import io.orchestrion.kernel.work.Submitted;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

class ForceCancelTest {
    private static final String FORCE = "{\"force\":true}";
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
    private final Stored stored = new Stored(server);

    private String claimed(TaskApi api) {
        String id = api.create("work");
        assertThat(api.verb(id, "claim").status()).isEqualTo(200);
        return id;
    }

    private static List<String> actions(Reply reply) {
        return reply.at("/agent_contract/next_actions").values().stream()
                .map(action -> action.get("action").asString())
                .toList();
    }

    /// L-006.
    @Test
    void by_force_a_claimed_task_is_cancelled_at_once() {
        String id = claimed(tasks);
        Reply cancelled = tasks.verb(id, "cancel", FORCE);
        assertThat(cancelled.status()).as(cancelled.text()).isEqualTo(200);
        assertThat(cancelled.text("/task/status")).isEqualTo("cancelled");
        assertThat(cancelled.at("/task/leaseExpiresAt").isNull()).isTrue();
        assertThat(tasks.status(id)).isEqualTo("cancelled");
        assertThat(stored.story(id)).endsWith("lease ready running", "cancel running cancelled");
    }

    /// L-006: as it always was.
    @ParameterizedTest
    @ValueSource(strings = {"", "{}", "{\"force\":false}"})
    void without_force_a_claimed_task_stays_claimed(String body) {
        String id = claimed(tasks);
        Reply refused = body.isEmpty() ? tasks.verb(id, "cancel") : tasks.verb(id, "cancel", body);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("task_currently_claimed");
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    @Test
    void force_is_true_or_false_and_nothing_else() {
        String id = claimed(tasks);
        Reply refused = tasks.verb(id, "cancel", "{\"force\":\"yes\"}");
        assertThat(refused.status()).isEqualTo(400);
        assertThat(refused.text("/message")).contains("force", "true or false");
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }

    /// L-007: with and without the token of the lease that is gone.
    @ParameterizedTest
    @ValueSource(strings = {"heartbeat", "complete", "fail"})
    void afterwards_the_holder_is_told_to_stop(String verb) {
        tasks.create("work");
        Reply claim = tasks.claim("work");
        String id = claim.text("/task/id");
        tasks.verb(id, "cancel", FORCE);
        String token = "{\"leaseToken\":\"" + claim.text("/leaseToken") + "\"}";
        var row = stored.row(id);
        for (Reply refused : List.of(tasks.verb(id, verb), tasks.verb(id, verb, token))) {
            assertThat(refused.status()).isEqualTo(409);
            assertThat(refused.error()).isEqualTo("invalid_transition");
            assertThat(refused.text("/message")).contains("stop");
            assertThat(refused.at("/agent_contract/retryable").asBoolean()).isFalse();
            assertThat(actions(refused))
                    .contains("claim_task")
                    .doesNotContain("complete_task", "heartbeat", "fail_task");
            JsonNode best = refused.at("/agent_contract/next_actions/0");
            assertThat(best.get("action").asString()).isEqualTo("claim_task");
            assertThat(best.get("recommended").asBoolean()).isTrue();
            assertThat(best.get("endpoint").asString()).isEqualTo("/v1/tasks/claim");
        }
        assertThat(stored.row(id)).isEqualTo(row);
    }

    /// L-007: the plan counts live leases, and this one is none any more.
    @Test
    void the_worker_s_slot_is_free_at_once() {
        TaskApi free = server.account("free");
        String first = claimed(free);
        int held = 1;
        Reply next;
        do {
            free.create("more");
            next = free.claim("more");
            held++;
        } while (next.status() == 200);
        assertThat(next.error()).as(held + " held").isEqualTo("max_workers_reached");
        assertThat(free.verb(first, "cancel", FORCE).status()).isEqualTo(200);
        assertThat(free.claim("more").status()).isEqualTo(200);
    }

    @Test
    void by_force_also_a_lapsed_claim_and_a_pending_task_are_cancelled() {
        String lapsed = tasks.create("work", "\"maxAttempts\":1");
        tasks.verb(lapsed, "claim");
        server.clock().advance(Duration.ofSeconds(301));
        assertThat(tasks.verb(lapsed, "cancel", FORCE).text("/task/status")).isEqualTo("cancelled");
        String pending = tasks.create("work");
        assertThat(tasks.verb(pending, "cancel", FORCE).text("/task/status"))
                .isEqualTo("cancelled");
    }

    @Test
    void what_is_over_stays_as_it_is() {
        String id = claimed(tasks);
        tasks.verb(id, "complete");
        Reply refused = tasks.verb(id, "cancel", FORCE);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("invalid_transition");
        assertThat(tasks.status(id)).isEqualTo("completed");
    }

    /// Whoever comes first has it, and the other is told so.
    @Test
    void a_completion_at_the_same_moment_and_the_force_exclude_each_other() {
        for (int i = 0; i < 20; i++) {
            String id = claimed(tasks);
            List<Integer> statuses =
                    Parallel.run(
                            2,
                            each ->
                                    () ->
                                            each == 0
                                                    ? tasks.verb(id, "cancel", FORCE).status()
                                                    : tasks.verb(id, "complete").status());
            assertThat(statuses).containsExactlyInAnyOrder(200, 409);
            assertThat(tasks.status(id))
                    .isEqualTo(statuses.getFirst() == 200 ? "cancelled" : "completed");
        }
    }

    /// What belongs to an engine is the engine's to cancel.
    @Test
    void a_task_of_an_engine_is_refused() {
        UUID account = UUID.fromString(tasks.accountId());
        Submitted made =
                server.kernel()
                        .kernel()
                        .work()
                        .submit(Submission.of(NewWork.of(account, Profiles.STEPS, "step", "{}")));
        String id = ((Submitted.Created) made).view().item().id().toString();
        server.kernel()
                .kernel()
                .work()
                .command(
                        new CommandRequest(
                                account,
                                Profiles.STEPS,
                                UUID.fromString(id),
                                new Command.Lease(UUID.randomUUID(), null, null),
                                false));
        Reply refused = tasks.verb(id, "cancel", FORCE);
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("managed_task");
        assertThat(tasks.status(id)).isEqualTo("claimed");
    }
}
