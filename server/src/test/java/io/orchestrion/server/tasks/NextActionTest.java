package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

import java.time.Duration;
import java.time.Instant;

/// Each action code in the situations that it is for.
class NextActionTest {
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

    private static JsonNode action(Reply reply, String code) {
        return reply.at("/agent_contract/next_actions").values().stream()
                .filter(action -> action.get("action").asString().equals(code))
                .findFirst()
                .orElse(MissingNode.getInstance());
    }

    private static void offers(Reply reply, String code, String method, String endpoint) {
        JsonNode action = action(reply, code);
        assertThat(action.isObject()).as(code + " in " + reply.text()).isTrue();
        assertThat(action.get("available").asBoolean()).as(reply.text()).isTrue();
        assertThat(action.get("method").asString()).isEqualTo(method);
        assertThat(action.get("endpoint").asString()).isEqualTo(endpoint);
    }

    private static void recommends(Reply reply, String code) {
        assertThat(action(reply, code).path("recommended").asBoolean()).as(reply.text()).isTrue();
    }

    private Reply provoked(String code) {
        Reply reply = Provoked.reply(server, tasks, code);
        assertThat(reply.error()).isEqualTo(code);
        return reply;
    }

    /// T-276.
    @Test
    void create_task_follows_what_is_over() {
        String id = tasks.create("a");
        tasks.claim("a");
        Reply completed = tasks.verb(id, "complete");
        Reply cancelled = tasks.verb(tasks.create("a"), "cancel");
        Reply conflict = provoked("idempotency_conflict");
        for (Reply reply :
                new Reply[] {
                    completed,
                    tasks.get(id),
                    cancelled,
                    tasks.get(cancelled.text("/task/id")),
                    conflict
                }) {
            offers(reply, "create_task", "POST", "/v1/tasks");
            recommends(reply, "create_task");
        }
    }

    /// T-277.
    @Test
    void claim_task_is_for_pending_tasks() {
        String id = tasks.create("a");
        Reply pending = tasks.get(id);
        offers(pending, "claim_task", "POST", "/v1/tasks/" + id + "/claim");
        recommends(pending, "claim_task");
        tasks.claim("a");
        Reply failed = tasks.verb(id, "fail");
        offers(failed, "claim_task", "POST", "/v1/tasks/" + id + "/claim");
    }

    /// T-277: with the wait beside it while the time is ahead, and available once it has come.
    @Test
    void claim_task_is_not_available_before_the_time() {
        Instant now = Instant.parse(tasks.get(tasks.create("b")).text("/task/createdAt"));
        String scheduled =
                tasks.create("a", "\"scheduledAt\":\"%s\"".formatted(now.plusSeconds(600)));
        String delayed = tasks.create("a");
        tasks.verb(delayed, "claim");
        Reply failed = tasks.verb(delayed, "fail", "{\"retry_after_seconds\":600}");
        for (Reply reply : new Reply[] {tasks.get(scheduled), tasks.get(delayed), failed}) {
            assertThat(action(reply, "claim_task").get("available").asBoolean()).isFalse();
            recommends(reply, "retry_after_wait");
            assertThat(action(reply, "retry_after_wait").get("retry_after_seconds").asInt())
                    .isBetween(570, 601);
        }
        assertThat(tasks.verb(scheduled, "claim").error()).isEqualTo("not_yet_claimable");
        server.clock().advance(Duration.ofSeconds(601));
        offers(tasks.get(scheduled), "claim_task", "POST", "/v1/tasks/" + scheduled + "/claim");
        assertThat(tasks.verb(scheduled, "claim").status()).isEqualTo(200);
    }

    /// T-278, T-279, T-280.
    @Test
    void a_holder_may_complete_fail_and_keep_alive() {
        String id = tasks.create("a");
        for (Reply reply :
                new Reply[] {tasks.claim("a"), tasks.verb(id, "heartbeat"), tasks.get(id)}) {
            for (String verb : new String[] {"complete", "fail"}) {
                offers(reply, verb + "_task", "POST", "/v1/tasks/" + id + "/" + verb);
            }
            offers(reply, "heartbeat", "POST", "/v1/tasks/" + id + "/heartbeat");
            recommends(reply, "complete_task");
        }
        server.clock().advance(Duration.ofSeconds(301));
        for (String code : new String[] {"complete_task", "fail_task", "heartbeat"}) {
            assertThat(action(tasks.get(id), code).isMissingNode()).as(code).isTrue();
        }
    }

    /// T-281.
    @ParameterizedTest
    @ValueSource(strings = {"lease_expired", "invalid_transition", "task_currently_claimed"})
    void check_task_status_follows_a_conflict(String code) {
        Reply reply = provoked(code);
        JsonNode check = action(reply, "check_task_status");
        assertThat(check.get("available").asBoolean()).isTrue();
        assertThat(check.get("method").asString()).isEqualTo("GET");
        assertThat(tasks.api().get(check.get("endpoint").asString()).status()).isEqualTo(200);
    }

    /// T-282.
    @Test
    void requeue_task_is_for_dead_letters() {
        String id = tasks.create("a", "\"maxAttempts\":1");
        tasks.claim("a");
        Reply dead = tasks.verb(id, "fail");
        for (Reply reply : new Reply[] {dead, tasks.get(id)}) {
            offers(reply, "requeue_task", "POST", "/v1/tasks/" + id + "/requeue");
            recommends(reply, "requeue_task");
        }
    }

    /// T-283.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "task_currently_claimed",
                "not_yet_claimable",
                "idempotency_in_flight",
                "server_error",
                "rate_limited",
                "max_workers_reached"
            })
    void retry_after_wait_follows_what_passes_with_time(String code) {
        Reply reply = provoked(code);
        recommends(reply, "retry_after_wait");
        JsonNode wait = action(reply, "retry_after_wait");
        assertThat(wait.get("retry_after_seconds").asInt()).isPositive();
        if (reply.status() == 503 || reply.status() == 429) {
            assertThat(reply.header("Retry-After"))
                    .isEqualTo(wait.get("retry_after_seconds").asString());
        }
    }

    /// T-283: on an empty claim.
    @Test
    void retry_after_wait_follows_an_empty_claim() {
        Reply empty = tasks.claim("nothing");
        offers(empty, "retry_after_wait", "POST", "/v1/tasks/claim");
        recommends(empty, "retry_after_wait");
        assertThat(action(empty, "retry_after_wait").get("retry_after_seconds").asInt())
                .isPositive();
    }

    /// T-283: the wait that not_yet_claimable names is enough.
    @Test
    void after_the_wait_the_refused_claim_succeeds() {
        for (String code : new String[] {"not_yet_claimable", "task_currently_claimed"}) {
            Reply refused = provoked(code);
            JsonNode wait = action(refused, "retry_after_wait");
            server.clock().advance(Duration.ofSeconds(wait.get("retry_after_seconds").asLong()));
            Reply again =
                    tasks.api()
                            .send(
                                    wait.get("method").asString(),
                                    wait.get("endpoint").asString(),
                                    null);
            assertThat(again.status()).as(code).isEqualTo(200);
        }
    }

    /// T-284.
    @ParameterizedTest
    @ValueSource(strings = {"missing_api_key", "invalid_api_key"})
    void authenticate_follows_a_missing_or_bad_key(String code) {
        Reply reply = provoked(code);
        offers(reply, "authenticate", "POST", "/v1/keys/register");
        recommends(reply, "authenticate");
    }

    /// T-285.
    @Test
    void fix_request_follows_a_bad_request() {
        recommends(provoked("invalid_request"), "fix_request");
    }

    /// T-286.
    @Test
    void download_artifact_is_for_completed_tasks_with_an_output() {
        String id = tasks.create("a");
        tasks.claim("a");
        Reply completed = tasks.verb(id, "complete", "{\"outputId\":\"o\"}");
        for (Reply reply : new Reply[] {completed, tasks.get(id)}) {
            recommends(reply, "download_artifact");
        }
        String without = tasks.create("b");
        tasks.claim("b");
        assertThat(action(tasks.verb(without, "complete"), "download_artifact").isMissingNode())
                .isTrue();
    }

    /// T-287.
    @Test
    void list_tasks_follows_a_task_that_is_not_there() {
        Reply reply = provoked("task_not_found");
        offers(reply, "list_tasks", "GET", "/v1/tasks");
        recommends(reply, "list_tasks");
    }
}
