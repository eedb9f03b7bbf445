package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.OrchestrionServer;
import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Parallel;
import io.orchestrion.testkit.Reply;
import io.orchestrion.testkit.ResponseCheck;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// Live leases at once, by plan.
class WorkerLimitTest {
    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    private static List<String> create(TaskApi account, int count) {
        var ids = new ArrayList<String>();
        for (int i = 0; i < count; i++) {
            ids.add(account.create("t"));
        }
        return ids;
    }

    /// T-251, T-283.
    private static void busy(Reply reply) {
        assertThat(reply.status()).as(reply.text()).isEqualTo(429);
        assertThat(reply.error()).isEqualTo("max_workers_reached");
        assertThat(reply.at("/agent_contract/retryable").asBoolean()).isTrue();
        assertThat(reply.text("/agent_contract/next_actions/0/action"))
                .isEqualTo("retry_after_wait");
        assertThat(reply.header("Retry-After"))
                .isEqualTo(reply.text("/agent_contract/next_actions/0/retry_after_seconds"));
    }

    /// T-198 to T-201.
    @ParameterizedTest
    @CsvSource({"free, 2", "basic, 10", "pro, 25", "agency, 50"})
    void one_lease_more_than_the_plan_allows_is_refused_by_both_claims(String plan, int max) {
        TaskApi account = server.account(plan);
        List<String> ids = create(account, max + 1);
        for (int i = 0; i < max; i++) {
            assertThat(account.claim("t").text("/task/id")).isEqualTo(ids.get(i));
        }
        busy(account.claim("t"));
        busy(account.verb(ids.get(max), "claim"));
        assertThat(account.status(ids.get(max))).isEqualTo("pending");
        assertThat(account.verb(ids.getFirst(), "heartbeat").status()).isEqualTo(200);
    }

    /// T-202.
    @Test
    void a_lease_that_ended_in_any_way_frees_its_place_at_once() {
        TaskApi account = server.account("free");
        List<String> ids = create(account, 6);
        account.claim("t");
        account.claim("t");
        busy(account.claim("t"));
        account.verb(ids.get(0), "complete");
        assertThat(account.claim("t").text("/task/id")).isEqualTo(ids.get(2));
        busy(account.claim("t"));
        account.verb(ids.get(1), "fail", "{\"retry_after_seconds\":3600}");
        assertThat(account.verb(ids.get(3), "claim").status()).isEqualTo(200);
        busy(account.verb(ids.get(4), "claim"));
        // Not swept: the expiry alone frees them.
        server.clock().advance(Duration.ofSeconds(301));
        assertThat(account.verb(ids.get(4), "claim").status()).isEqualTo(200);
        assertThat(account.claim("t").text("/task/id")).isEqualTo(ids.get(5));
        busy(account.claim("t"));
    }

    /// T-203, on two nodes.
    @Test
    void parallel_claims_on_two_nodes_get_exactly_the_plan_s_leases() {
        TaskApi account = server.account("free");
        List<String> ids = create(account, 20);
        OrchestrionServer node =
                OrchestrionServer.start(
                        server.kernel().anotherNode(options -> options), TestServer.options());
        try (node) {
            Api there = Api.on(node.port(), ResponseCheck.NONE).withKey(account.key());
            List<Reply> replies =
                    Parallel.run(
                            20,
                            i ->
                                    () ->
                                            i % 2 == 0
                                                    ? account.claim("t")
                                                    : there.post(
                                                            "/v1/tasks/" + ids.get(i) + "/claim"));
            assertThat(replies.stream().filter(reply -> reply.status() == 200)).hasSize(2);
            assertThat(replies.stream().filter(reply -> reply.status() == 429)).hasSize(18);
        }
        assertThat(
                        server.database()
                                .<Long>value(
                                        "select count(*) from work where state = 'running' and"
                                                + " account_id = ?::uuid",
                                        account.accountId()))
                .isEqualTo(2);
    }

    /// T-259.
    @Test
    void at_the_limit_an_empty_queue_is_no_excuse() {
        TaskApi account = server.account("free");
        create(account, 2);
        account.claim("t");
        account.claim("t");
        busy(account.claim("empty"));
        busy(account.verb("00000000-0000-7000-8000-0000000000ff", "claim"));
    }

    /// Claimers who find nothing leave their place to those who would find something.
    @Test
    void an_empty_kind_does_not_use_up_the_room_of_another() {
        TaskApi account = server.account("free");
        for (int round = 0; round < 5; round++) {
            List<String> ids = create(account, 2);
            List<Reply> replies =
                    Parallel.run(12, i -> () -> account.claim(i < 10 ? "empty" : "t"));
            assertThat(replies.subList(10, 12))
                    .allMatch(reply -> !reply.text("/task/id").isEmpty());
            ids.forEach(id -> account.verb(id, "complete"));
        }
    }
}
