package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/// T-275: whoever follows the guidance, and knows nothing else, gets through everything that can
/// come in between.
class GuidedAgentTest {
    private final TestServer server = new TestServer();
    private GuidedAgent agent;

    @BeforeEach
    void start() {
        agent = new GuidedAgent(server, "/.well-known/agent.json");
    }

    @AfterEach
    void close() {
        server.close();
    }

    private TaskApi account() {
        return new TaskApi(server.anonymous(), "", agent.accountId());
    }

    /// Somebody else with the same key.
    private Api other() {
        return server.anonymous().withKey(agent.key());
    }

    @Test
    void from_the_discovery_document_to_a_completed_task() {
        agent.followUntil("completed", 6);
        assertThat(agent.taken())
                .containsExactly("authenticate", "create_task", "claim_task", "complete_task");
    }

    @Test
    void an_empty_queue_is_waited_out() {
        agent.followThrough("create_task", 2);
        String id = agent.last().text("/task/id");
        other().post("/v1/tasks/" + id + "/cancel");
        agent.followThrough("claim_task", 1);
        assertThat(agent.last().at("/agent_contract/task_claimable").asBoolean()).isFalse();
        agent.followThrough("retry_after_wait", 1);
        other().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
        agent.followUntil("completed", 3);
        assertThat(agent.taken())
                .containsExactly(
                        "authenticate",
                        "create_task",
                        "claim_task",
                        "retry_after_wait",
                        "retry_after_wait",
                        "complete_task");
    }

    @Test
    void a_scheduled_task_is_waited_for() {
        agent.followThrough("authenticate", 1);
        long now = new Stored(server).nowMs();
        agent.willAlsoSay("\"scheduledAt\":\"" + Instant.ofEpochMilli(now + 3_600_000) + "\"");
        agent.followUntil("completed", 10);
        assertThat(agent.taken())
                .containsSubsequence(
                        "create_task",
                        "check_task_status",
                        "retry_after_wait",
                        "claim_task",
                        "complete_task");
    }

    @Test
    void a_lost_lease_is_taken_again() {
        agent.followUntil("claimed", 4);
        server.clock().advance(Duration.ofSeconds(301));
        agent.followUntil("completed", 6);
        assertThat(agent.taken())
                .containsSubsequence(
                        "complete_task", "check_task_status", "claim_task", "complete_task");
    }

    @Test
    void a_failure_is_retried_after_its_delay_and_a_dead_task_is_requeued() {
        agent.followThrough("authenticate", 1);
        agent.willAlsoSay("\"maxAttempts\":2");
        agent.followUntil("claimed", 3);
        agent.choose("fail_task");
        agent.followUntil("claimed", 4);
        agent.choose("fail_task");
        assertThat(agent.last().text("/task/status")).isEqualTo("dead_letter");
        agent.followUntil("completed", 5);
        assertThat(agent.taken())
                .containsSubsequence(
                        "fail_task",
                        "claim_task",
                        "fail_task",
                        "requeue_task",
                        "claim_task",
                        "complete_task");
    }

    @Test
    void a_rate_limit_is_waited_out() {
        agent.followThrough("authenticate", 1);
        new Counters(server).ofKey(account(), "create", 120);
        agent.followUntil("completed", 6);
        assertThat(agent.taken())
                .containsSubsequence(
                        "create_task", "retry_after_wait", "claim_task", "complete_task");
    }

    @Test
    void busy_workers_are_waited_for() {
        agent.followThrough("authenticate", 1);
        Api other = other();
        for (int i = 0; i < 2; i++) {
            other.post("/v1/tasks", "{\"type\":\"t\",\"payload\":{},\"leaseDurationSeconds\":30}");
            assertThat(other.post("/v1/tasks/claim", "{\"type\":\"t\"}").status()).isEqualTo(200);
        }
        agent.followUntil("completed", 30);
        assertThat(agent.taken())
                .containsSubsequence("claim_task", "retry_after_wait", "complete_task");
    }

    @Test
    void a_used_up_quota_leads_to_a_plan_that_a_person_pays() {
        agent.followThrough("authenticate", 1);
        new Counters(server).monthOf(account(), 200);
        Reply checkout = agent.followThrough("upgrade_plan", 3);
        String order = checkout.text("/approvalUrl").replaceFirst(".*/", "");
        String operator =
                server.kernel().kernel().identity().registerLocal("operator").key().reveal();
        assertThat(
                        server.anonymous()
                                .withKey(operator)
                                .post("/v1/billing/orders/" + order + "/approve")
                                .status())
                .isEqualTo(200);
        agent.followUntil("completed", 8);
        assertThat(agent.taken())
                .containsSubsequence(
                        "create_task",
                        "upgrade_plan",
                        "verify_payment",
                        "create_task",
                        "claim_task",
                        "complete_task");
    }

    @Test
    void a_payment_that_nobody_approved_leads_back_to_checkout() {
        agent.followThrough("authenticate", 1);
        new Counters(server).monthOf(account(), 200);
        agent.followThrough("upgrade_plan", 3);
        agent.followThrough("verify_payment", 1);
        agent.choose("retry_checkout");
        assertThat(agent.last().text("/purchaseId")).isNotEmpty();
    }
}
