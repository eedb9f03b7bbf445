package io.orchestrion.server.tasks;

import static org.assertj.core.api.Assertions.assertThat;

import io.orchestrion.server.TaskApi;
import io.orchestrion.server.TestServer;
import io.orchestrion.testkit.Api;
import io.orchestrion.testkit.Reply;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/// What the guidance says can be done can be done.
class TruthRuleTest {
    private static final String LEASE = "\"leaseDurationSeconds\":30,\"maxAttempts\":";

    /// What is refused to a key for its scopes is followed with that key, in ScopeTest.
    private static final List<String> ERRORS =
            Provoked.CODES.stream().filter(code -> !code.equals("insufficient_scope")).toList();

    private static TestServer server;

    @BeforeAll
    static void start() {
        server = new TestServer();
    }

    @AfterAll
    static void stop() {
        server.close();
    }

    /// Makes the situation anew in an account of its own and returns its answer.
    private Reply situation(String name, TaskApi tasks) {
        String attempts = name.endsWith("of 2") ? "2" : "1";
        return switch (name) {
            case "created" -> tasks.api().post("/v1/tasks", "{\"type\":\"t\",\"payload\":{}}");
            case "created for later" ->
                    tasks.api()
                            .post(
                                    "/v1/tasks",
                                    "{\"type\":\"t\",\"payload\":{},\"scheduledAt\":\"%s\"}"
                                            .formatted(later(tasks)));
            case "scheduled" -> tasks.get(situation("created for later", tasks).text("/task/id"));
            case "nothing to claim" -> tasks.claim("t");
            case "claimed", "claimed of 2" -> {
                tasks.create("t", LEASE + attempts);
                yield tasks.claim("t");
            }
            case "kept alive" -> {
                String id = situation("claimed", tasks).text("/task/id");
                yield tasks.verb(id, "heartbeat");
            }
            case "expired", "expired of 2" -> {
                String id = situation(name.replace("expired", "claimed"), tasks).text("/task/id");
                server.clock().advance(Duration.ofSeconds(31));
                yield tasks.get(id);
            }
            case "failed", "failed of 2" -> {
                String id = situation(name.replace("failed", "claimed"), tasks).text("/task/id");
                yield tasks.verb(id, "fail");
            }
            case "to be retried" -> {
                String id = situation("claimed of 2", tasks).text("/task/id");
                yield tasks.verb(id, "fail", "{\"retry_after_seconds\":60}");
            }
            case "completed" -> {
                String id = situation("claimed", tasks).text("/task/id");
                yield tasks.verb(id, "complete");
            }
            case "completed with output" -> {
                String id = situation("claimed", tasks).text("/task/id");
                yield tasks.verb(id, "complete", "{\"outputId\":\"o\"}");
            }
            case "cancelled" -> tasks.verb(tasks.create("t"), "cancel");
            case "requeued" -> tasks.verb(situation("failed", tasks).text("/task/id"), "requeue");
            case "created after a failure" -> {
                String parent = tasks.create("parent");
                tasks.verb(parent, "cancel");
                yield waitingFor(tasks, parent, "cancel");
            }
            case "created waiting" -> waitingFor(tasks, tasks.create("parent"), "hold");
            case "waiting for another" ->
                    tasks.get(situation("created waiting", tasks).text("/task/id"));
            case "held" -> {
                Reply waiting = situation("created waiting", tasks);
                tasks.verb(waiting.text("/task/dependsOn/0"), "cancel");
                server.kernel().kernel().sweepOnce("dependency-resolver");
                yield tasks.get(waiting.text("/task/id"));
            }
            case "released" -> tasks.verb(situation("held", tasks).text("/task/id"), "release");
            case "registered" -> server.anonymous().post("/v1/keys/register");
            case "key made" -> tasks.api().post("/v1/keys", "{\"name\":\"n\"}");
            case "keys listed" -> tasks.api().get("/v1/keys");
            case "key revoked" -> {
                String id = situation("key made", tasks).text("/key/id");
                yield tasks.api().send("DELETE", "/v1/keys/" + id, null);
            }
            case "own key revoked" -> {
                situation("key made", tasks);
                String own = tasks.api().get("/v1/keys").text("/keys/1/id");
                yield tasks.api().send("DELETE", "/v1/keys/" + own, null);
            }
            case "health" -> server.anonymous().get("/health");
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static Reply waitingFor(TaskApi tasks, String parent, String rule) {
        return tasks.api()
                .post(
                        "/v1/tasks",
                        "{\"type\":\"t\",\"payload\":{},\"dependsOn\":[\"%s\"],\"onDependencyFailure\":\"%s\"}"
                                .formatted(parent, rule));
    }

    private static String later(TaskApi tasks) {
        String now = tasks.get(tasks.create("clock")).text("/task/createdAt");
        return Instant.parse(now).plusSeconds(600).toString();
    }

    private static Reply follow(Api api, JsonNode action) {
        String method = action.get("method").asString();
        String endpoint = action.get("endpoint").asString();
        String body =
                !method.equals("POST")
                        ? null
                        : switch (endpoint) {
                            case "/v1/tasks" -> "{\"type\":\"t\",\"payload\":{}}";
                            case "/v1/tasks/claim" -> "{\"type\":\"t\"}";
                            case "/v1/keys" -> "{\"name\":\"n\"}";
                            case "/v1/billing/checkout" -> "{\"planId\":\"basic\"}";
                            case "/v1/billing/verify" ->
                                    "{\"purchaseId\":\"%s\"}"
                                            .formatted(
                                                    api.get("/v1/billing/purchases")
                                                            .text("/purchases/0/purchaseId"));
                            default -> null;
                        };
        return api.send(method, endpoint, body);
    }

    private interface Situation {
        Reply in(TaskApi tasks);
    }

    /// Follows each action that the answer offers, each in a fresh copy of the situation.
    private void everyOfferHolds(Situation situation, boolean item) {
        String contract = item ? "/tasks/0/agent_contract" : "/agent_contract";
        String path = contract + "/next_actions";
        int count = situation.in(server.account()).at(path).size();
        assertThat(count).isPositive();
        for (int i = 0; i < count; i++) {
            TaskApi tasks = server.account();
            JsonNode action = situation.in(tasks).at(path).get(i);
            if (!action.has("method")) {
                continue;
            }
            Reply reply = follow(tasks.api(), action);
            String what = action + " gave " + reply.text();
            if (action.get("available").asBoolean()) {
                assertThat(reply.error()).as(what).isNotEqualTo("invalid_transition");
                if (!action.has("retry_after_seconds")) {
                    assertThat(reply.status()).as(what).isLessThan(300);
                }
            } else {
                assertThat(reply.error()).as(what).isEqualTo("not_yet_claimable");
            }
        }
    }

    /// T-274, L-012: on the answer to the verb, on get, and on the list.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "created",
                "created for later",
                "scheduled",
                "claimed",
                "kept alive",
                "expired",
                "expired of 2",
                "failed",
                "failed of 2",
                "to be retried",
                "completed",
                "completed with output",
                "cancelled",
                "requeued",
                "created after a failure",
                "created waiting",
                "waiting for another",
                "held",
                "released"
            })
    void what_is_available_on_a_task_works_at_once(String name) {
        everyOfferHolds(tasks -> situation(name, tasks), false);
        everyOfferHolds(tasks -> tasks.get(situation(name, tasks).text("/task/id")), false);
        everyOfferHolds(
                tasks -> {
                    situation(name, tasks);
                    return tasks.api().get("/v1/tasks?type=t");
                },
                true);
    }

    /// T-274.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "nothing to claim",
                "registered",
                "health",
                "key made",
                "keys listed",
                "key revoked",
                "own key revoked"
            })
    void what_is_available_without_a_task_works_at_once(String name) {
        everyOfferHolds(tasks -> situation(name, tasks), false);
    }

    /// T-274.
    @ParameterizedTest
    @FieldSource("ERRORS")
    void what_is_available_after_an_error_works_at_once(String code) {
        everyOfferHolds(tasks -> Provoked.reply(server, tasks, code), false);
    }

    /// T-275: through waits, lost leases and dead letters.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "created for later",
                "scheduled",
                "expired",
                "expired of 2",
                "failed",
                "failed of 2",
                "to be retried",
                "cancelled",
                "requeued"
            })
    void an_agent_that_follows_the_guidance_gets_out_of_every_hole(String name) {
        TaskApi tasks = server.account();
        new GuidedAgent(server, tasks.api(), situation(name, tasks)).followUntil("completed", 20);
    }

    /// T-275: from every error that is about a task or the moment.
    @ParameterizedTest
    @ValueSource(
            strings = {
                "missing_api_key",
                "invalid_api_key",
                "invalid_transition",
                "lease_expired",
                "task_currently_claimed",
                "not_yet_claimable",
                "idempotency_conflict",
                "idempotency_in_flight",
                "server_error",
                "task_not_found"
            })
    void an_agent_that_follows_the_guidance_recovers_from_errors(String code) {
        TaskApi tasks = server.account();
        new GuidedAgent(server, tasks.api(), Provoked.reply(server, tasks, code))
                .followUntil("completed", 20);
    }
}
