package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.kernel.Kernel;
import io.orchestrion.kernel.duties.ClaimPurger;
import io.orchestrion.server.CatalogueCheck;
import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;
import java.util.UUID;

/// A worker that did not hear which task it was given asks again with the claim's id.
class RepeatedClaimTest {
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
    private final String claimId = UUID.randomUUID().toString();

    private String body(String type) {
        return "{\"type\":\"%s\",\"workerId\":\"w\",\"claimId\":\"%s\"}".formatted(type, claimId);
    }

    private static Reply claim(TaskApi api, String body) {
        return api.api().post("/v1/tasks/claim", body);
    }

    private static void isTheSameLease(Reply first, Reply again) {
        assertThat(first.status()).as(first.text()).isEqualTo(200);
        assertThat(first.text("/leaseToken")).isNotEmpty();
        assertThat(again.status()).as(again.text()).isEqualTo(200);
        assertThat(again.text("/task/id")).isEqualTo(first.text("/task/id"));
        assertThat(again.text("/leaseToken")).isEqualTo(first.text("/leaseToken"));
        assertThat(again.at("/task")).isEqualTo(first.at("/task"));
        assertThat(again.header("Idempotency-Replayed")).isEqualTo("true");
    }

    @Test
    void the_same_claim_again_is_the_same_lease() {
        tasks.create("work");
        tasks.create("work");
        Reply first = claim(tasks, body("work"));
        assertThat(first.header("Idempotency-Replayed")).isEmpty();
        isTheSameLease(first, claim(tasks, body("work")));
        assertThat(tasks.claim("work").text("/task/id")).isNotEqualTo(first.text("/task/id"));
        String token = "{\"leaseToken\":\"" + first.text("/leaseToken") + "\"}";
        assertThat(tasks.verb(first.text("/task/id"), "complete", token).status()).isEqualTo(200);
    }

    @Test
    void a_claim_by_id_again_is_the_same_lease() {
        String id = tasks.create("work");
        String body = "{\"claimId\":\"" + claimId + "\"}";
        Reply first = tasks.verb(id, "claim", body);
        isTheSameLease(first, tasks.verb(id, "claim", body));
        assertThat(tasks.verb(id, "claim").error()).isEqualTo("task_currently_claimed");
        Reply other = tasks.verb(tasks.create("work"), "claim", body);
        assertThat(other.error()).isEqualTo("idempotency_conflict");
    }

    /// A claim's id says nothing about a task's: the same id in both places is two ids.
    @Test
    void a_claim_may_have_the_id_of_the_task_that_it_names() {
        String id = tasks.create("work");
        String body = "{\"claimId\":\"" + id + "\"}";
        Reply first = tasks.verb(id, "claim", body);
        isTheSameLease(first, tasks.verb(id, "claim", body));
        Reply other = tasks.verb(tasks.create("work"), "claim", body);
        assertThat(other.error()).isEqualTo("idempotency_conflict");
    }

    @Test
    void a_claim_of_an_unknown_task_by_its_own_id_holds_up_nobody() {
        Reply unknown = tasks.verb(claimId, "claim", "{\"claimId\":\"" + claimId + "\"}");
        assertThat(unknown.status()).as(unknown.text()).isEqualTo(404);
        TaskApi others = server.account();
        assertThat(others.verb(others.create("work"), "cancel").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"complete", "fail", "cancel", "lapse"})
    void once_the_lease_has_ended_the_claim_is_refused_and_says_so(String end) {
        tasks.create("work", "\"leaseDurationSeconds\":60");
        tasks.create("work", "\"leaseDurationSeconds\":60");
        String id = claim(tasks, body("work")).text("/task/id");
        switch (end) {
            case "lapse" -> server.clock().advance(Duration.ofSeconds(61));
            case "cancel" -> tasks.verb(id, "cancel", "{\"force\":true}");
            default -> tasks.verb(id, end);
        }
        Reply refused = claim(tasks, body("work"));
        assertThat(refused.status()).isEqualTo(409);
        assertThat(refused.error()).isEqualTo("lease_expired");
        assertThat(refused.text("/message")).contains("claimId");
        assertThat(refused.text("/agent_contract/next_actions/0/action")).isEqualTo("claim_task");
    }

    @Test
    void a_lease_kept_alive_is_given_with_its_new_end() {
        tasks.create("work", "\"leaseDurationSeconds\":60");
        Reply first = claim(tasks, body("work"));
        server.clock().advance(Duration.ofSeconds(40));
        tasks.verb(first.text("/task/id"), "heartbeat");
        server.clock().advance(Duration.ofSeconds(40));
        Reply again = claim(tasks, body("work"));
        assertThat(again.text("/leaseToken")).isEqualTo(first.text("/leaseToken"));
        assertThat(again.text("/task/leaseExpiresAt"))
                .isGreaterThan(first.text("/task/leaseExpiresAt"));
    }

    @Test
    void the_id_with_another_claim_is_a_conflict() {
        tasks.create("work");
        tasks.create("other");
        claim(tasks, body("work"));
        for (Reply other :
                List.of(
                        claim(tasks, body("other")),
                        claim(tasks, body("work").replace("\"w\"", "\"v\"")))) {
            assertThat(other.status()).isEqualTo(409);
            assertThat(other.error()).isEqualTo("idempotency_conflict");
        }
        assertThat(tasks.claim("other").text("/task/status")).isEqualTo("claimed");
    }

    @Test
    void an_empty_answer_is_not_remembered() {
        assertThat(claim(tasks, body("work")).at("/task").isNull()).isTrue();
        String id = tasks.create("work");
        assertThat(claim(tasks, body("work")).text("/task/id")).isEqualTo(id);
    }

    @Test
    void the_id_is_a_uuid() {
        Reply bad = claim(tasks, "{\"type\":\"work\",\"claimId\":\"mine\"}");
        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.text("/message")).contains("claimId");
    }

    /// The id is the account's own.
    @Test
    void another_account_s_claim_with_the_same_id_is_its_own() {
        TaskApi others = server.account();
        tasks.create("work");
        String id = others.create("work");
        claim(tasks, body("work"));
        assertThat(claim(others, body("work")).text("/task/id")).isEqualTo(id);
    }

    /// What was granted once is counted once, and given again also when nothing is left.
    @Test
    void a_repeated_claim_is_not_counted_against_the_plan() {
        TaskApi free = server.account("free");
        free.create("work");
        Reply first = claim(free, body("work"));
        while (free.claim("more").status() == 200) {
            free.create("more");
        }
        assertThat(free.claim("more").error()).isEqualTo("max_workers_reached");
        long granted = granted(free);
        isTheSameLease(first, claim(free, body("work")));
        assertThat(granted(free)).isEqualTo(granted).isPositive();
    }

    private static long granted(TaskApi api) {
        return server.database()
                .value(
                        "select count(*) from work_event where account_id = ? and event = 'lease'",
                        UUID.fromString(api.accountId()));
    }

    /// Twins at the same moment, on one node and on two: one lease, told to all of them.
    @Test
    void twins_on_two_nodes_are_given_the_same_lease() {
        try (Kernel node = server.kernel().anotherNode(options -> options);
                OrchestrionServer other = OrchestrionServer.start(node, TestServer.options())) {
            Api api = Api.on(other.port(), new CatalogueCheck()).withKey(tasks.key());
            var there = new TaskApi(api, tasks.key(), tasks.accountId());
            for (int round = 0; round < 10; round++) {
                String type = "twin" + round;
                // With only one task the twin must not come away empty-handed, either.
                for (int i = 0; i < 1 + round % 2 * 7; i++) {
                    tasks.create(type);
                }
                String byType =
                        "{\"type\":\"%s\",\"claimId\":\"%s\"}".formatted(type, UUID.randomUUID());
                List<Reply> replies =
                        Parallel.run(8, i -> () -> claim(i % 2 == 0 ? tasks : there, byType));
                assertThat(replies).extracting(Reply::status).containsOnly(200);
                assertThat(replies)
                        .extracting(reply -> reply.text("/task/id") + reply.text("/leaseToken"))
                        .containsOnly(
                                replies.getFirst().text("/task/id")
                                        + replies.getFirst().text("/leaseToken"));
                assertThat(held(type)).isEqualTo(1);

                String id = tasks.create("by-id" + round);
                String byId = "{\"claimId\":\"%s\"}".formatted(UUID.randomUUID());
                List<Reply> claims =
                        Parallel.run(
                                8, i -> () -> (i % 2 == 0 ? tasks : there).verb(id, "claim", byId));
                assertThat(claims).extracting(Reply::status).containsOnly(200);
                assertThat(claims)
                        .extracting(reply -> reply.text("/leaseToken"))
                        .containsOnly(claims.getFirst().text("/leaseToken"));
            }
        }
    }

    private long held(String type) {
        return server.database()
                .value(
                        "select count(*) from work where account_id = ? and kind = ? and state ="
                                + " 'running'",
                        UUID.fromString(tasks.accountId()),
                        type);
    }

    @Test
    void a_claim_is_forgotten_after_its_time() {
        tasks.create("work");
        claim(tasks, body("work"));
        server.clock().advance(ClaimPurger.KEPT.minusMinutes(1));
        server.kernel().kernel().sweepOnce("claim-purger");
        assertThat(kept()).isEqualTo(1);
        server.clock().advance(Duration.ofMinutes(2));
        assertThat(server.kernel().kernel().sweepOnce("claim-purger")).isPositive();
        assertThat(kept()).isZero();
    }

    private long kept() {
        return server.database()
                .value(
                        "select count(*) from claim_receipt where claim_id = ?",
                        UUID.fromString(claimId));
    }
}
