package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

class AgentContractTest {
    private static final Set<String> CODES =
            Set.of(
                    "create_task",
                    "claim_task",
                    "complete_task",
                    "fail_task",
                    "heartbeat",
                    "check_task_status",
                    "requeue_task",
                    "retry_after_wait",
                    "authenticate",
                    "fix_request",
                    "download_artifact",
                    "list_tasks",
                    "upgrade_plan",
                    "renew_plan",
                    "check_billing_status",
                    "verify_payment",
                    "retry_checkout",
                    "check_operation");

    /// These are something to do, and no call of this door.
    private static final Set<String> NO_CALLS = Set.of("fix_request", "download_artifact");

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

    private static boolean has(Reply reply, String field) {
        return reply.at("/agent_contract").has(field);
    }

    private record Asked(String name, Reply reply) {}

    /// Every endpoint, each on a fresh task of every status.
    private List<Asked> tour() {
        var asked = new ArrayList<Asked>();
        for (Requests request : Requests.open()) {
            asked.add(new Asked(request.name(), request.by(server.anonymous())));
        }
        for (TaskStatus status : TaskStatus.values()) {
            String id = Requests.task(tasks, status);
            for (Requests request : Requests.authenticated(id)) {
                boolean about = request.path().startsWith("/v1/tasks/" + id);
                String fresh = about ? Requests.task(tasks, status) : id;
                asked.add(
                        new Asked(
                                request.name(),
                                request.at(tasks.api(), request.path().replace(id, fresh))));
            }
        }
        asked.add(new Asked("claimNextTask", tasks.claim("nothing")));
        asked.addAll(purchase());
        return asked;
    }

    private static List<Asked> purchase() {
        Api buyer = server.account("free").api();
        Reply checkout = buyer.post("/v1/billing/checkout", "{\"planId\":\"basic\"}");
        String order = checkout.text("/approvalUrl").replaceFirst(".*/", "");
        String operator =
                server.kernel().kernel().identity().registerLocal("operator").key().reveal();
        Reply approved =
                server.anonymous()
                        .withKey(operator)
                        .post("/v1/billing/orders/" + order + "/approve");
        String body = "{\"purchaseId\":\"%s\"}".formatted(checkout.text("/purchaseId"));
        return List.of(
                new Asked("checkoutPlan", checkout),
                new Asked("approveLocalOrder", approved),
                new Asked("verifyPayment", buyer.post("/v1/billing/verify", body)));
    }

    /// T-261, for every endpoint there is; T-264, T-265, T-266, T-267, T-268.
    @Test
    void every_answer_carries_a_whole_contract() {
        List<Asked> all = tour();
        assertThat(all.stream().filter(each -> each.reply().status() < 300).map(Asked::name))
                .contains(
                        "createTask",
                        "listTasks",
                        "getTask",
                        "claimNextTask",
                        "claimTask",
                        "completeTask",
                        "failTask",
                        "heartbeatTask",
                        "cancelTask",
                        "requeueTask",
                        "registerKey",
                        "listPlans",
                        "getBillingStatus",
                        "checkoutPlan",
                        "verifyPayment");
        all.stream()
                .map(Asked::reply)
                // Pages for people and for language models are no JSON.
                .filter(reply -> reply.header("Content-Type").startsWith("application/json"))
                .forEach(reply -> whole(contractOf(reply), reply));
    }

    /// T-263: in an OpenAPI document it must be an extension.
    private static JsonNode contractOf(Reply reply) {
        return reply.at(reply.body().has("openapi") ? "/x-agent_contract" : "/agent_contract");
    }

    /// T-262, T-264, T-265, T-266, T-267, T-268.
    @Test
    void every_error_carries_a_whole_contract_with_something_to_do() {
        for (String code : Provoked.CODES) {
            Reply reply = Provoked.reply(server, server.account(), code);
            whole(reply.at("/agent_contract"), reply);
            JsonNode actions = reply.at("/agent_contract/next_actions");
            assertThat(actions.size()).as(code).isPositive();
            assertThat(actions.values())
                    .as(code)
                    .filteredOn(action -> action.get("recommended").asBoolean())
                    .hasSize(1);
        }
    }

    private static void whole(JsonNode contract, Reply reply) {
        assertThat(contract.get("version").isString()).as(reply.text()).isTrue();
        assertThat(contract.get("version").asString()).isEqualTo("1");
        assertThat(contract.get("retryable").isBoolean()).isTrue();
        assertThat(contract.get("next_actions").isArray()).isTrue();
        for (JsonNode action : contract.get("next_actions").values()) {
            String code = action.get("action").asString();
            assertThat(CODES).contains(code);
            assertThat(action.get("available").isBoolean()).isTrue();
            assertThat(action.get("recommended").isBoolean()).isTrue();
            if (action.get("recommended").asBoolean()) {
                assertThat(action.get("available").asBoolean()).as(reply.text()).isTrue();
            }
            assertThat(action.has("method")).as(code).isEqualTo(!NO_CALLS.contains(code));
            assertThat(action.has("endpoint")).as(code).isEqualTo(!NO_CALLS.contains(code));
            // A payment is worth a look only once a person had the time to approve it.
            if (!code.equals("verify_payment")) {
                assertThat(action.has("retry_after_seconds"))
                        .as(code)
                        .isEqualTo(code.equals("retry_after_wait"));
            }
            if (action.has("endpoint")) {
                assertThat(action.get("endpoint").asString()).startsWith("/").doesNotContain("{");
                assertThat(action.get("method").asString()).isIn("GET", "POST");
            }
            if (action.has("retry_after_seconds")) {
                assertThat(action.get("retry_after_seconds").asInt()).isPositive();
            }
        }
    }

    /// T-269.
    @Test
    void task_claimable_is_on_the_answers_to_claims_and_nowhere_else() {
        String id = tasks.create("wanted");
        assertThat(tasks.claim("wanted").at("/agent_contract/task_claimable").asBoolean()).isTrue();
        tasks.verb(id, "fail");
        Reply byId = tasks.verb(id, "claim");
        assertThat(byId.at("/agent_contract/task_claimable").asBoolean()).isTrue();
        Reply empty = tasks.claim("wanted");
        assertThat(has(empty, "task_claimable")).isTrue();
        assertThat(empty.at("/agent_contract/task_claimable").asBoolean()).isFalse();
        assertThat(empty.at("/task").isNull()).isTrue();
        for (Requests request : Requests.authenticated(id)) {
            if (!request.name().startsWith("claim")) {
                assertThat(has(request.by(tasks.api()), "task_claimable"))
                        .as(request.name())
                        .isFalse();
            }
        }
        assertThat(has(server.anonymous().get("/health"), "task_claimable")).isFalse();
    }

    /// T-270, T-271, T-272.
    @ParameterizedTest
    @EnumSource(TaskStatus.class)
    void the_lease_is_spoken_of_exactly_while_the_task_is_claimed(TaskStatus status) {
        String id = Requests.task(tasks, status);
        boolean claimed = status == TaskStatus.CLAIMED;
        Reply item = tasks.get(id);
        assertThat(has(item, "lease_valid")).isEqualTo(claimed);
        assertThat(has(item, "lease_expires_in_seconds")).isEqualTo(claimed);
        assertThat(has(item, "recommended_heartbeat_interval_seconds")).isEqualTo(claimed);
    }

    /// T-270, T-271, T-272, T-128.
    @ParameterizedTest
    @CsvSource({"30, 10", "100, 33", "300, 100", "3600, 1200"})
    void a_live_lease_counts_down_and_gives_the_pace_of_heartbeats(int lease, int pace) {
        String id = tasks.create("held", "\"leaseDurationSeconds\":" + lease);
        Reply claimed = tasks.claim("held");
        live(claimed, lease, pace);
        server.clock().advance(Duration.ofSeconds(20));
        live(tasks.get(id), lease - 20, pace);
        live(tasks.verb(id, "heartbeat"), lease, pace);
        live(tasks.verb(id, "claim"), lease, pace);
    }

    private static void live(Reply reply, int seconds, int pace) {
        assertThat(reply.at("/agent_contract/lease_valid").asBoolean()).isTrue();
        assertThat(reply.at("/agent_contract/lease_expires_in_seconds").isIntegralNumber())
                .isTrue();
        // The clock runs on while the test does.
        assertThat(reply.number("/agent_contract/lease_expires_in_seconds"))
                .isBetween(Math.max(0, seconds - 9), seconds);
        assertThat(reply.number("/agent_contract/recommended_heartbeat_interval_seconds"))
                .isEqualTo(pace);
    }

    /// T-270, T-271, T-272: run out, and no sweeper has seen it.
    @Test
    void an_expired_lease_that_was_not_swept_is_told_as_it_is() {
        String id = tasks.create("late", "\"leaseDurationSeconds\":30");
        tasks.claim("late");
        server.clock().advance(Duration.ofSeconds(31));
        Reply refused = tasks.verb(id, "heartbeat");
        assertThat(refused.error()).isEqualTo("lease_expired");
        for (Reply reply : List.of(tasks.get(id), refused)) {
            assertThat(has(reply, "lease_valid")).isTrue();
            assertThat(reply.at("/agent_contract/lease_valid").asBoolean()).isFalse();
            assertThat(reply.number("/agent_contract/lease_expires_in_seconds")).isZero();
            assertThat(has(reply, "recommended_heartbeat_interval_seconds")).isFalse();
        }
        server.sweepLeases();
        assertThat(has(tasks.get(id), "lease_valid")).isFalse();
    }

    /// T-273: the list has a contract, and each item one of its own that fits its state.
    @Test
    void every_listed_task_carries_the_guidance_that_get_gives() {
        for (TaskStatus status : TaskStatus.values()) {
            Requests.task(tasks, status);
        }
        String late = tasks.create("late", "\"leaseDurationSeconds\":30");
        tasks.claim("late");
        server.clock().advance(Duration.ofSeconds(31));
        Reply list = tasks.api().get("/v1/tasks");
        whole(list.at("/agent_contract"), list);
        assertThat(list.at("/tasks").size()).isEqualTo(6);
        for (JsonNode item : list.at("/tasks").values()) {
            JsonNode listed = item.get("agent_contract");
            whole(listed, list);
            JsonNode got = tasks.get(item.get("id").asString()).at("/agent_contract");
            assertThat(listed.get("next_actions")).isEqualTo(got.get("next_actions"));
            assertThat(listed.has("lease_valid"))
                    .isEqualTo(item.get("status").asString().equals("claimed"));
            assertThat(listed.path("lease_valid")).isEqualTo(got.path("lease_valid"));
            if (item.get("id").asString().equals(late)) {
                assertThat(listed.get("lease_valid").asBoolean()).isFalse();
            }
        }
    }
}
